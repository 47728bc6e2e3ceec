import { describe, expect, it } from 'vitest';
import { compareAlerts, type EndpointHealth, findTroubles, type ProcessorHealth } from './alert.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 2, 10, hour));

const endpoint = (fields: Partial<EndpointHealth>): EndpointHealth => ({
  programId: 1,
  id: 7,
  url: 'https://hooks.example:8443/services/T0/secret',
  disabledReason: null,
  warnedAt: null,
  ...fields,
});

const processor = (fields: Partial<ProcessorHealth>): ProcessorHealth => ({
  programId: 1,
  provider: 'stripe',
  title: 'Stripe',
  connectedAt: at(0),
  hasFailedEvents: false,
  lastAcceptedAt: null,
  lastRefusedAt: null,
  ...fields,
});

const FAILING = {
  programId: 1,
  kind: 'webhook_failing',
  subjectId: '7',
  subjectName: 'hooks.example:8443',
};
const PAYMENTS = { programId: 1, kind: 'payment_events_failing', subjectId: 'stripe', subjectName: 'Stripe' };

describe('an endpoint', () => {
  it.each([
    ['works', {}, []],
    ['was warned about', { warnedAt: at(1) }, [FAILING]],
    ['was disabled because it failed', { warnedAt: at(1), disabledReason: 'failing' }, [FAILING]],
    ['answered 410', { disabledReason: 'gone' }, [FAILING]],
    ['was disabled by a person', { warnedAt: at(1), disabledReason: 'person' }, []],
  ] as const)('that %s', (_what, fields, troubles) => {
    expect(findTroubles([endpoint(fields)], [], [])).toEqual(troubles);
  });
});

describe('a payment processor', () => {
  it.each([
    ['sends nothing', {}, []],
    ['has an event that failed for good', { hasFailedEvents: true }, [PAYMENTS]],
    ['was refused once, and accepted since', { lastRefusedAt: at(5), lastAcceptedAt: at(6) }, []],
    ['was refused right after it was accepted', { lastRefusedAt: at(5.5), lastAcceptedAt: at(5) }, []],
    ['is refused an hour after it was last accepted', { lastRefusedAt: at(6), lastAcceptedAt: at(5) }, [PAYMENTS]],
    ['is refused an hour after it was connected', { lastRefusedAt: at(1) }, [PAYMENTS]],
    ['was refused while it was being connected', { lastRefusedAt: at(0) }, []],
  ] as const)('that %s', (_what, fields, troubles) => {
    expect(findTroubles([], [processor(fields)], [])).toEqual(troubles);
  });
});

describe('alerts', () => {
  it('are opened for what is new and closed for what is over, one for each subject', () => {
    const trouble = (subjectId: string, programId = 1) => ({
      programId,
      kind: 'webhook_failing' as const,
      subjectId,
      subjectName: 'hooks.example',
    });
    const open = [
      { ...trouble('1'), id: 11 },
      { ...trouble('2'), id: 12 },
    ];
    expect(compareAlerts([trouble('2'), trouble('3'), trouble('2', 2)], open)).toEqual({
      opening: [trouble('3'), trouble('2', 2)],
      closing: [open[0]],
    });
  });
});
