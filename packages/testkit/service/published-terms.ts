import type { TermsRule } from '@svc/contract';
import type { Program } from '../../server/src/programs/program.ts';
import { addTerms, type NewTerms } from '../../server/src/terms/add-terms.ts';
import type { TestService } from './service.ts';

/** Publishes rules for a program, and waits until every cache has them. */
export async function publish(
  service: TestService,
  { program }: { program: Pick<Program, 'id'> },
  rules: TermsRule[],
  parts: Partial<NewTerms> = {},
): Promise<number> {
  const terms = { rules, since: undefined, note: undefined, backdate: false, ...parts };
  const { version } = await addTerms(service.ctx, program.id, terms, { userId: 'nobody', requestId: null });
  service.advance({ seconds: 60 });
  return version;
}
