import { refuse, ServiceError } from './service-error.ts';

type Wanted = { type: 'TXT'; name: string; value: string };

const RETRY_SECONDS = '10';

/** What can go wrong with the hosts that a brand has its links on. */
export const domainErrors = {
  hostOfService: refuse(
    400,
    'This is the host of the service. Choose a host of your own, like go.example.com.',
    'host',
  ),
  hostOfSite: (host: string) =>
    new ServiceError(400, `${host} is the program's own site. Choose another host, like go.${host}.`, {
      at: { field: 'host' },
    }),
  hostTaken: (host: string, record: Wanted) =>
    new ServiceError(
      409,
      `Another program has its links on ${host}. To move the host here, set the TXT record ${record.name} to ${record.value}, remove ` +
        'other values that begin with svc-verify=, and add the host again.',
      { details: { field: 'host', record } },
    ),
  tooManyDomains: (max: number) =>
    new ServiceError(409, `The program has ${max} link hosts, which is the most. Remove one first.`),
  recordMissing: (record: Wanted) =>
    new ServiceError(
      409,
      `There is no TXT record ${record.name} with the value ${record.value} yet. New records can take an hour to be seen.`,
      { details: { record } },
    ),
  dnsUnanswered: (name: string) =>
    new ServiceError(503, `The DNS servers did not answer when we looked up ${name}. Try again in a moment.`, {
      headers: { 'Retry-After': RETRY_SECONDS },
    }),
};
