/* A whole game as one C file: the text of the machine, the game's constants and sections. */
#include <string.h>

#include "machine_text.h"
#include "native/native.h"
#include "native/print.h"

static const char head[] =
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "typedef struct Ctx Ctx;\n"
    "typedef struct Pos Pos;\n"
    "#define GAME void\n"
    "#define REGISTERS\n"
    "#define OPEN_REGISTERS(c) ((void)0)\n"
    "#define CLOSE_REGISTERS(c) ((void)0)\n"
    "#define ENTER(c) ((void)(c))\n"
    "static void *memory(void *block, size_t size) {\n"
    "  if (size == 0) {\n"
    "    free(block);\n"
    "    return NULL;\n"
    "  }\n"
    "  block = realloc(block, size);\n"
    "  if (!block) abort();\n"
    "  return block;\n"
    "}\n"
    "#define MEMORY(block, size) memory((block), (size))\n";

static const char middle[] =
    "struct Pos {\n"
    "  Set s[SETS + 0];\n"
    "  int32_t n[NUMS];\n"
    "};\n"
    "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n"
    "#define UNROLLED _Pragma(\"GCC unroll 8\")\n"
    "#else\n"
    "#define UNROLLED\n"
    "#endif\n"
    "#define SET(word) ((Set){{word}})\n"
    "#define PSET(p, i) ((p)->s[i])\n"
    "#define PNUM(p, i) ((p)->n[i])\n"
    "#define NUM(p, f) ((p)->n[f])\n"
    "#define HAS(f) ((f) >= 0)\n"
    "#define POS_SIZE sizeof(Pos)\n"
    "#define POS_COPY(to, from) (*(to) = *(from))\n"
    "#define LOCAL_POS(c, name) Pos name##_, *name = &name##_\n"
    "#define NODE_AT(c, i) ((Pos *)(void *)(c)->at + (i))\n"
    "#define SECTION(kind, seat, p, q) run_##kind(c, (seat), (Pos *)(p), (Pos *)(q))\n"
    "#define MUST_SECTION(k, seat, p) run_must(c, (k), (seat), (p))\n"
    "#define DIR_NEXT(d, site) (dir_next[d][site])\n"
    "#define DIR_BY(d) (dir_by[d])\n"
    "#define DIR_HAS(d) (dir_has[d])\n"
    "#define DIR_INTO(d) (dir_into[d])\n"
    "#define DIR_LONG(d) (dir_long[d])\n"
    "#define DIR_BACK(d) (dir_back[d])\n"
    "#define NEAR(site) (near_[site])\n"
    "#define EVERYWHERE everywhere\n"
    "#define BOARD_SET board_\n"
    "#define PATH_SET(i) (on_path[i])\n"
    "#define PATH_N(i) (path_n[i])\n"
    "#define PATH_WRAP(i) (path_wrap[i])\n"
    "#define PATH_SITE(i, k) (path_site[i][k])\n"
    "#define PATH_INDEX(i, site) (path_index[i][site])\n"
    "#define PATH_SEGMENTS(i) (path_segments[i])\n"
    "#define PATH_SEGMENT(i, k) (path_segment[i][k])\n"
    "#define PATH_UP(i, k) (path_up[i][k])\n"
    "#define PATH_HOPS(i, k) (hops_[i][k])\n"
    "#define HOP_FROM(i, k, h) (hop_[i][k][h].from)\n"
    "#define HOP_BY(i, k, h) (hop_[i][k][h].by)\n"
    "#define LABEL(l, site) (label_[l][(site) + 1])\n"
    "#define POOL_DICE(i) (pool_[i].dice)\n"
    "#define POOL_FACES(i) (pool_[i].faces)\n"
    "#define POOL_FACE(i, k) (pool_[i].face[k])\n"
    "#define POOL_DOUBLES(i) (pool_[i].doubles)\n"
    "#define POOL_TOTAL(i) (pool_[i].total)\n"
    "#define POOL_TOTAL_LOW(i) (pool_[i].low)\n"
    "#define POOL_TOTAL_N(i) (pool_[i].n)\n"
    "#define POOL_TOTAL_VALUE(i, k) (pool_[i].value[k])\n"
    "#define DICE_PATH(s) (dice_of_seat[s][0])\n"
    "#define DICE_PLANE(s) (dice_of_seat[s][1])\n"
    "#define DICE_EXACT(s) (dice_of_seat[s][2])\n"
    "#define DICE_HIGH(s) (dice_of_seat[s][3])\n"
    "#define USE_SLOT(r) (use_slot[r])\n"
    "#define COUNTED_RULE(i) (counted_rule[i])\n"
    "#define COUNTED_SLOT(i) (use_slot[counted_rule[i]])\n"
    "#define JUDGED_AT_START(r) (at_start[r])\n"
    "#define TURN_CELL_START(i) (turn_start[i])\n";

static const char bulky[] =
    "#ifdef __GNUC__\n"
    "#define BULKY static __attribute__((noinline, unused))\n"
    "#endif\n"
    "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n"
    "#define BRIEF static __attribute__((noinline, unused, optimize(\"O1\")))\n"
    "#else\n"
    "#define BRIEF static\n"
    "#endif\n";

static const char asked[] =
    "FAST void end_game(Ctx *c, Pos *p, int rule, Num winners, Num worth, int drawn);\n"
    "FAST Num put_out(Ctx *c, Pos *p, int rule, Num seats, Num worth);\n"
    "FAST Num ask_section(Ctx *c, Pos *p, int kind);\n"
    "FAST Num ask_stuck(Ctx *c, Pos *p);\n"
    "FAST Num ask_dead(Ctx *c, Pos *p);\n"
    "FAST Num ask_repeats(Ctx *c, Pos *p);\n"
    "INLINE Num ask_next(Ctx *c, Pos *p);\n"
    "FAST void count_use(Ctx *c, Pos *p, int slot, Num n, int only_statistics);\n"
    "FAST void gain_die(Ctx *c, Pos *p, Num face);\n"
    "INLINE uint64_t dice_of(const Pos *p);\n";

static const char tail[] =
    "const MachineApi tavl_machine = {MACHINE_VERSION, WORDS, SETS, NUMS, api_open, api_close,\n"
    "  api_turns, api_turn, api_steps, api_perft, api_play, api_forget, api_push, api_host,\n"
    "  api_candidate, api_trouble, api_pick};\n";

static const char alone_head[] =
    "/* A game as C, printed by tavl. Build it alone with any C11 compiler:\n"
    " *\n"
    " *   cc -std=c11 -O3 -march=native -c game.c                    to link it\n"
    " *   cc -std=c11 -O3 -march=native -DTAVL_MAIN -o game game.c   to try it: ./game GAMES DEPTH\n"
    " *\n"
    " * Interface (all else is static):\n"
    " *   tavl_machine        the functions of MachineApi, below\n"
    " *   tavl_start(seat)    the start position with that seat to move\n"
    " *   tavl_first          the seat that begins; -1: by lot\n"
    " * A position is a struct of tavl_machine.sets sets and tavl_machine.nums numbers; treat it as\n"
    " * bytes of tavl_position_size. One context (open, close) serves one thread. */\n";

static const char alone_tail[] =
    "const size_t tavl_position_size = sizeof(Pos);\n"
    "const void *tavl_start(int seat) { return &start_[seat]; }\n"
    "#ifdef TAVL_MAIN\n"
    "#include <stdio.h>\n"
    "int main(int n, char **word) {\n"
    "  static MachineSums sums;\n"
    "  MachineGames games = {1, 0, 1, n > 1 ? atoll(word[1]) : 1000, 10000, tavl_first, {0}};\n"
    "  int depth = n > 2 ? atoi(word[2]) : 2;\n"
    "  MachineLine line[64];\n"
    "  if (depth > 60) depth = 60;\n"
    "  for (int i = 0; i < SEATS; i++) games.start[i] = tavl_start(i);\n"
    "  void *c = tavl_machine.open(NULL);\n"
    "  tavl_machine.push(c, tavl_start(tavl_first < 0 ? 0 : tavl_first));\n"
    "  tavl_machine.perft(c, tavl_start(tavl_first < 0 ? 0 : tavl_first), depth, 0, line);\n"
    "  for (int i = 1; i <= depth; i++) printf(\"depth %d: %lld\\n\", i, (long long)line[i].leaves);\n"
    "  tavl_machine.play(c, &games, &sums);\n"
    "  tavl_machine.close(c);\n"
    "  printf(\"games %lld, turns %lld, draws %lld, wins\", (long long)sums.games, (long long)sums.turns,\n"
    "         (long long)sums.draws);\n"
    "  for (int i = 0; i < SEATS; i++) printf(\" %lld\", (long long)sums.wins[i]);\n"
    "  printf(\"\\n\");\n"
    "  return 0;\n"
    "}\n"
    "#endif\n";

static void print_text(const char *const *lines, FILE *out) {
  for (; *lines; lines++) fprintf(out, "%s\n", *lines);
}

static void print_start(const Kernel *k, const void *const *start, FILE *out) {
  const Program *p = k->program;
  fprintf(out, "static const Pos start_[SEATS] = {\n");
  for (int s = 0; s < p->rules->seats; s++) {
    const uint64_t *words = start[s];
    const int32_t *nums = (const int32_t *)(const void *)(words + p->sets * k->words);
    fprintf(out, "  {{");
    for (int i = 0; i < p->sets; i++) {
      fprintf(out, "{{");
      for (int w = 0; w < p->words; w++)
        fprintf(out, "0x%llxu,", (unsigned long long)words[i * k->words + w]);
      fprintf(out, "}},");
    }
    fprintf(out, "}, {");
    for (int i = 0; i < p->nums; i++) fprintf(out, "%d,", nums[i]);
    fprintf(out, "}},\n");
  }
  fprintf(out, "};\n");
}

void native_print(const Kernel *k, const void *const *start, int first, FILE *out) {
  const Program *p = k->program;
  if (start) fprintf(out, "%s", alone_head);
  print_text(machine_text_machine_h, out);
  fprintf(out, "%s#define WORDS %d\n", head, p->words);
  if (p->bulky) fprintf(out, "%s", bulky);
  print_text(machine_text_machine_sets_inc, out);
  print_constants(p, out);
  fprintf(out, "#define LISTED %s /* steps one by one */\n", p->whole ? "NOINLINE" : "INLINE");
  fprintf(out, "%s", middle);
  print_tables(p, out);
  print_text(machine_text_machine_context_inc, out);
  print_text(machine_text_machine_board_inc, out);
  print_text(machine_text_machine_walk_inc, out);
  print_text(machine_text_machine_calm_inc, out);
  fprintf(out, "%s", asked);
  bool lists = false;
  for (int i = 0; i < p->ops; i++) lists |= p->op[i].code == O_list_carry;
  if (lists) print_text(machine_text_machine_list_inc, out);
  print_sections(p, out);
  print_text(machine_text_machine_turn_inc, out);
  print_text(machine_text_machine_dice_inc, out);
  print_text(machine_text_machine_pair_inc, out);
  print_text(machine_text_machine_same_inc, out);
  print_text(machine_text_machine_spend_inc, out);
  print_text(machine_text_machine_wander_inc, out);
  print_text(machine_text_machine_all_inc, out);
  print_text(machine_text_machine_play_inc, out);
  fprintf(out, "%s", tail);
  if (!start) return;
  fprintf(out, "const int tavl_first = %d;\n", first);
  print_start(k, start, out);
  fprintf(out, "%s", alone_tail);
}
