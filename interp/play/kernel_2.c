/* The interpreted kernel for boards of up to 128 sites. */
#define WORDS 2
#define KERNEL_GAME kernel_game_2
#define KERNEL_API kernel_api_2
#include "play/kernel_width.inc"
