import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { addCreative } from '../../../../server/src/creatives/change-creatives.ts';
import { listCreatives } from '../../../../server/src/creatives/creative-store.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';
import { PNG } from './programs.ts';

export const CREATIVE_REQUESTS: RequestParts = {
  bodies: {
    manageAddCreative: () => ({
      kind: 'file',
      title: 'Banner',
      status: 'published',
      file_name: 'banner.png',
      content: PNG,
    }),
    manageUpdateCreative: () => ({ title: newId('Banner') }),
    async manageOrderCreatives(service, created) {
      for (const _ of [1, 2]) await creativeIdOf(service, created);
      const ids = (await listCreatives(service.ctx.db, created.program.id)).map((creative) => creative.id);
      return { ids: ids.reverse() };
    },
  },
  first: { manageCreatives: creativeIdOf },
  params: { creative_id: creativeIdOf },
};

/** The id of a published file that all partners of the program see. */
export async function creativeIdOf(service: TestService, { program }: TestProgram): Promise<number> {
  const creative = {
    kind: 'file',
    title: 'Banner',
    status: 'published',
    groupId: null,
    url: null,
    text: null,
  } as const;
  const file = { name: 'banner.png', contentBase64: PNG };
  return (await addCreative(service.ctx, program, { ...creative, file }, OPERATOR)).id;
}
