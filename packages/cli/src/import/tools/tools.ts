import type { ToolName } from '../sources.ts';
import type { Tool } from '../tool.ts';
import { dub } from './dub.ts';
import { firstpromoter } from './firstpromoter.ts';
import { firstpromoterV1 } from './firstpromoter-v1.ts';
import { partnerstack } from './partnerstack.ts';
import { rewardful } from './rewardful.ts';
import { tolt } from './tolt.ts';

/** The tools that partners can be imported from through their API. */
export const TOOLS: Record<ToolName, Tool> = {
  rewardful,
  firstpromoter,
  'firstpromoter-v1': firstpromoterV1,
  tolt,
  partnerstack,
  dub,
};
