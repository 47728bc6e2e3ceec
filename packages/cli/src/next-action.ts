import { GATES, type ReadinessReply } from '@svc/contract';

/** What to do next for the integration, as the service says it; null when there is nothing left. */
export function nextAction({ gates }: ReadinessReply): string | null {
  const order = GATES.map((name) => gates[name]);
  const gate = order.find(({ status }) => status === 'fail') ?? order.find(({ status }) => status === 'unknown');
  return gate?.next_action ?? null;
}
