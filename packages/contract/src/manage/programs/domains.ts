import { z } from 'zod';
import { defineRoute } from '../../routing/route.ts';
import { linkHost } from '../../values/link-host.ts';
import { managed, one, PROGRAM, requiredTogether } from '../route.ts';

const DOMAINS = `${PROGRAM}/domains`;
const DOMAIN = `${DOMAINS}/:domain_id`;

/** How many hosts a program can have its links on. */
export const MAX_DOMAINS = 5;
export const DOMAIN_STATUSES = ['pending', 'active'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

const txtRecord = z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() });
export type TxtRecord = z.output<typeof txtRecord>;

export const domainRow = z.object({
  id: z.int(),
  host: z.string(),
  status: z.enum(DOMAIN_STATUSES).describe('`active` once its record was seen. Links work on active hosts.'),
  record: txtRecord.describe('The DNS record that proves whose host it is.'),
});
z.globalRegistry.add(domainRow, { id: 'LinkDomain' });
export type DomainRow = z.input<typeof domainRow>;

export const manageDomains = defineRoute({
  ...managed,
  id: 'manageDomains',
  method: 'GET',
  path: DOMAINS,
  summary: 'List link hosts',
  description:
    'Hosts of your own, such as `go.example.com`, that short links work on. In the order in which they were added.',
  role: 'viewer',
  reply: one(z.array(domainRow)),
  statuses: [401, 404],
});

export const manageAddDomain = defineRoute({
  ...managed,
  id: 'manageAddDomain',
  proof: { none: 'Nothing happens until a DNS record proves whose host it is.' },
  method: 'POST',
  path: DOMAINS,
  summary: 'Add a link host',
  description:
    `The host is pending until its DNS record is verified. At most ${MAX_DOMAINS} per program. A host that the program already has is ` +
    'returned as it is. A host on which another program has its links is refused with 409 and `details.record`: set that record and ' +
    'send the request again, and the host moves to this program.',
  role: 'member',
  success: 201,
  precheck: requiredTogether('host is required', 'host'),
  body: z.object({ host: linkHost }),
  example: { host: 'go.acme.example' },
  reply: one(domainRow),
  statuses: [400, 401, 404, 409],
});

export const manageVerifyDomain = defineRoute({
  ...managed,
  id: 'manageVerifyDomain',
  proof: { none: 'The DNS record is the proof.' },
  method: 'POST',
  path: `${DOMAIN}/verify`,
  summary: 'Verify a link host',
  description:
    'Looks up the record and activates the host. 409 as long as the record is not there. An active host is returned as it is, and is not ' +
    'looked up again.',
  role: 'member',
  reply: one(domainRow),
  statuses: [401, 404, 409],
});

export const manageDeleteDomain = defineRoute({
  ...managed,
  id: 'manageDeleteDomain',
  proof: 'recent',
  method: 'DELETE',
  path: DOMAIN,
  summary: 'Remove a link host',
  description: 'Links on the host stop working at once.',
  role: 'member',
  reply: one(z.object({})),
  statuses: [401, 404],
});
