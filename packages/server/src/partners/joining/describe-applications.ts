import type { Context } from '../../context.ts';
import {
  type AcceptedText,
  listAcceptedTexts,
  listOwnApplications,
  type OwnApplication,
} from '../partner-details-store.ts';

export type DescribedApplication = OwnApplication & { agreements: AcceptedText[] };

/** What the account answered and accepted in each program that it is or was a partner of. */
export async function describeApplications(ctx: Context, userId: string): Promise<DescribedApplication[]> {
  const [applications, accepted] = await Promise.all([
    listOwnApplications(ctx.db, userId),
    listAcceptedTexts(ctx.db, userId),
  ]);
  return applications.map((application) => ({
    ...application,
    agreements: accepted.filter(
      ({ programId, partnerId }) => programId === application.programId && partnerId === application.partnerId,
    ),
  }));
}
