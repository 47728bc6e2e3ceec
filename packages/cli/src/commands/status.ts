import { cliStatus, manageProcessor, type ReplyOf } from '@svc/contract';
import { Failure } from '../failure.ts';
import { table } from '../output.ts';
import { programKey, type Session } from '../session.ts';

type Processor = ReplyOf<typeof manageProcessor>['data'];

/** Shows recent events and readiness; owners also see the state of the payment processor. */
export async function status(session: Session): Promise<void> {
  const { data } = await session.api.call(cliStatus, { token: programKey(session) });
  const processor = data.stripe_connected ? await findProcessor(session, data.program_id) : null;
  const { clicks_24h: clicks, leads_24h: leads, sales_24h: sales } = data.recent_events;
  session.out.result(
    { ...data, ...(processor && { processor }) },
    table([
      ['Program', `${data.program_id}  ${data.name}  (${data.domain})`],
      ['Readiness', data.readiness],
      ['Last 24 hours', `${clicks} clicks, ${leads} leads, ${sales} sales`],
      ['Active partners', String(data.active_partners)],
      ['Pending commissions', String(data.pending_commissions)],
      ['Stripe', data.stripe_connected ? 'connected' : 'not connected'],
      ...(processor ? processorRows(processor) : []),
    ]),
  );
}

/** The processor connection, for workspace owners; null for everyone else, whose status is complete without it. */
async function findProcessor({ api, credentials }: Session, programId: number): Promise<Processor | null> {
  try {
    const account = await credentials.find(api.apiUrl);
    if (!account) return null;
    const params = { program_id: programId };
    return (await api.call(manageProcessor, { params, token: account.token })).data;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function processorRows({ last_event: event, last_error: error, webhook_url: url }: Processor): [string, string][] {
  const last = event ? `${event.type}, ${event.outcome ?? 'not processed yet'}, ${event.received_at}` : null;
  return [
    ['Last Stripe event', last ?? `none yet; Stripe must send events to ${url}`],
    ...(error ? [['Last Stripe error', `${error.event_id}, ${error.at}: ${error.message}`] as [string, string]] : []),
  ];
}
