import { cliStatus, INVOICE_LINKS, manageProcessor, PROCESSORS, type ProcessorName, type ReplyOf } from '@svc/contract';
import { Failure } from '../failure.ts';
import { table } from '../output.ts';
import { programKey, type Session } from '../session.ts';

type Processor = ReplyOf<typeof manageProcessor>['data'];

const COOKIES = {
  server: 'set by your server',
  script: 'set by the tracker: Safari keeps it for seven days, unless you add a relay',
  none: 'no page has reported a click yet',
};

/** Shows recent events and readiness; owners also see the state of the payment processors. */
export async function status(session: Session): Promise<void> {
  const { data } = await session.api.call(cliStatus, { token: programKey(session) });
  const processors: Processor[] = [];
  for (const provider of PROCESSORS) {
    const processor = await findProcessor(session, data.program_id, provider);
    if (processor?.status === 'connected') processors.push(processor);
  }
  const stripe = processors.find(({ provider }) => provider === 'stripe');
  const others = processors.filter((processor) => processor !== stripe);
  const { clicks_24h: clicks, leads_24h: leads, sales_24h: sales } = data.recent_events;
  session.out.result(
    { ...data, ...(stripe && { processor: stripe }), ...(processors.length > 0 && { processors }) },
    table([
      ['Program', `${data.program_id}  ${data.name}  (${data.domain})`],
      ['Readiness', data.readiness],
      ['Last 24 hours', `${clicks} clicks, ${leads} leads, ${sales} sales`],
      ['Click cookie', COOKIES[data.cookie_set_by ?? 'none']],
      ['Active partners', String(data.active_partners)],
      ['Pending commissions', String(data.pending_commissions)],
      ['Stripe', data.stripe_connected ? 'connected' : 'not connected'],
      ...(stripe ? eventRows(stripe) : []),
      ...others.flatMap((other): [string, string][] => [[other.title, 'connected'], ...eventRows(other)]),
    ]),
  );
}

/** The connection to a processor, for workspace owners; null for everyone else, whose status is complete without it. */
async function findProcessor(
  { api, credentials }: Session,
  programId: number,
  provider: ProcessorName,
): Promise<Processor | null> {
  try {
    const account = await credentials.find(api.apiUrl);
    if (!account) return null;
    const call = { params: { program_id: programId }, query: { provider }, token: account.token };
    return (await api.call(manageProcessor, call)).data;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function eventRows(processor: Processor): [string, string][] {
  const { title, last_event: event, last_error: error, webhook_url: url } = processor;
  const last = event ? `${event.type}, ${event.outcome ?? 'not processed yet'}, ${event.received_at}` : null;
  const failure = error && `${error.event_id}, ${error.at}: ${error.message}`;
  return [
    [`Last ${title} event`, last ?? `none yet; ${title} must send events to ${url}`],
    ...(failure ? [[`Last ${title} error`, failure] as [string, string]] : []),
    ...warnings(processor).map((warning): [string, string] => [`${title} warning`, warning]),
  ];
}

/** What goes wrong although the processor is connected. */
function warnings(processor: Processor): string[] {
  const { provider, signature_mismatches: mismatches, signatures_too_old: tooOld } = processor;
  const { unlinked_invoices: unlinked } = processor;
  const found: string[] = [];
  if (mismatches) {
    const requests = mismatches.count === 1 ? '1 request' : `${mismatches.count} requests`;
    found.push(
      `${requests} had a signature that matches none of your signing secrets, the last one ${mismatches.last_at}`,
    );
  }
  if (tooOld) {
    const requests = tooOld.count === 1 ? '1 request' : `${tooOld.count} requests`;
    found.push(`${requests} arrived more than five minutes after being signed, the last one ${tooOld.last_at}`);
  }
  if (processor.only_tests) found.push('all events so far are tests, which count nowhere');
  found.push(...processor.missing_events.map(({ message }) => message));
  const link = INVOICE_LINKS[provider];
  if (unlinked > 0 && link) {
    const payments = unlinked === 1 ? '1 subscription payment is' : `${unlinked} subscription payments are`;
    found.push(`${payments} not linked, so ${link.problem}: add ${link.event} to the events of the endpoint`);
  }
  return found;
}
