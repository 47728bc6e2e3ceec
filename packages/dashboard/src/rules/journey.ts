type Step = { type: string; id: number; at: string; link_id: number | null; page_url: string | null };

/** Steps of a journey that are shown as one, because nothing differs but their times. */
export type FoldedStep<Value extends Step> = { step: Value; count: number; until: string };

/** Folds clicks on the same link that follow each other. The page is left out if they did not all lead to the same one. */
export function foldSteps<Value extends Step>(steps: readonly Value[]): FoldedStep<Value>[] {
  const folded: FoldedStep<Value>[] = [];
  for (const step of steps) {
    const last = folded.at(-1);
    if (!last || step.type !== 'click' || last.step.type !== 'click' || last.step.link_id !== step.link_id) {
      folded.push({ step, count: 1, until: step.at });
      continue;
    }
    if (last.step.page_url !== step.page_url) last.step = { ...last.step, page_url: null };
    last.count += 1;
    last.until = step.at;
  }
  return folded;
}
