/* The interpreted kernel for boards of up to 256 sites. */
#define WORDS 4
#define KERNEL kernel_4
#include "play/kernel_width.inc"
