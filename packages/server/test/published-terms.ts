import type { TermsRule } from '@svc/contract';
import { addTerms, type NewTerms } from '../src/terms/add-terms.ts';
import type { TestProgram, TestService } from './service.ts';

/** Publishes rules for a program, and waits until every cache has them. */
export async function publish(
  service: TestService,
  { program }: Pick<TestProgram, 'program'>,
  rules: TermsRule[],
  parts: Partial<NewTerms> = {},
): Promise<number> {
  const terms = { rules, since: undefined, note: undefined, backdate: false, ...parts };
  const { version } = await addTerms(service.ctx, program.id, terms, { userId: 'nobody', requestId: null });
  service.advance({ seconds: 60 });
  return version;
}
