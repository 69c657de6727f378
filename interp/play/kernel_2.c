/* The interpreted kernel for boards of up to 128 sites. */
#define WORDS 2
#define KERNEL kernel_2
#include "play/kernel_width.inc"
