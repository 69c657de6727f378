/* The interpreted kernel for boards of up to 512 sites. */
#define WORDS 8
#define KERNEL kernel_8
#include "play/kernel_width.inc"
