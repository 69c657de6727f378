/* What a scenario sets in the middle of a game. */
#include "play/inside.h"

void engine_set(Engine *engine, Position *p, const Effect *effect) {
  Effects one = {effect, 1};
  EvalCtx ctx = eval_context(engine, p);
  ctx.scenario = true;
  effects_apply(engine, &one, &ctx, p);
}
