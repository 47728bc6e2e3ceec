import { currentTerms } from '../../terms/terms.ts';
import type { ProgramAccess } from '../callers/program-access.ts';

/**
 * Whether the caller is a partner of a program that credits last clicks. Until visitors sign up or buy, nothing may identify them to
 * partners, who could otherwise report a last click in their name.
 */
export function hidesVisitors({ now }: { now: () => Date }, { role, program }: ProgramAccess): boolean {
  return role === 'partner' && currentTerms(program, now()).attribution === 'last';
}
