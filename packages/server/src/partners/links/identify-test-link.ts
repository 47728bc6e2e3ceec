import { TEST_LINK_PREFIX } from '@svc/contract';
import type { LookupCache } from '../lookup-cache.ts';

/** Whether the customer came through the test link of the program. Everything that they do is a test. */
export async function isFromTestLink(
  lookup: Pick<LookupCache, 'link'>,
  customer: { programId: number; linkId: number | null; isTest: boolean },
): Promise<boolean> {
  if (!customer.isTest || customer.linkId === null) return false;
  const link = await lookup.link(`${TEST_LINK_PREFIX}${customer.programId}`);
  return link?.id === customer.linkId && link.isTest;
}
