/* The interpreted kernel for boards of up to 512 sites. */
#define WORDS 8
#define KERNEL_GAME kernel_game_8
#define KERNEL_API kernel_api_8
#include "play/kernel_width.inc"
