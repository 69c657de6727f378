/* The interpreted kernel for boards of up to 64 sites. */
#define WORDS 1
#define KERNEL kernel_1
#include "play/kernel_width.inc"
