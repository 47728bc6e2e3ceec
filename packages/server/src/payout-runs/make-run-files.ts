import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Payer } from '@svc/contract';
import type { Rest } from '../db/rest.ts';
import type { Encryption } from '../encryption.ts';
import { type MadeFiles, makeFiles, previewFiles } from '../payout-files/make-files.ts';
import { type Destination, type FileRun, type PayoutItem, payoutIdOf } from '../payout-files/payout-item.ts';
import { openDetails, type PayoutDetails } from '../payout-methods/payout-method.ts';
import type { PartnerMethod } from '../payout-methods/payout-method-store.ts';
import type { NewPayoutFile } from './payout-file-store.ts';
import type { RunPayoutRow } from './run-payout-store.ts';

/** What files are made from. */
export type FileFacts = {
  payouts: RunPayoutRow[];
  methods: Map<number, PartnerMethod>;
  payer: Payer | null;
  run: { number: number; at: Date };
  programName: string;
};

/** The files of a run, why a payout is in none of them, and what banks read otherwise. The same facts give the same bytes. */
export async function makeRunFiles(encryption: Encryption, facts: FileFacts): Promise<MadeFiles> {
  return makeFiles(await openItems(encryption, facts), payerOf(facts), fileRunOf(facts));
}

/** The same without the files themselves. Nothing is locked meanwhile, so there is time to rest. */
export async function previewRunFiles(
  encryption: Encryption,
  facts: FileFacts,
  rest: Rest,
): Promise<Omit<MadeFiles, 'files'>> {
  return previewFiles(await openItems(encryption, facts, rest), payerOf(facts), fileRunOf(facts));
}

/** A few milliseconds of decrypting. In between, the service does something else: clicks would wait for those of a large run. */
const ITEMS_PER_TURN = 200;

async function openItems(encryption: Encryption, facts: FileFacts, rest: Rest = nextTurn): Promise<PayoutItem[]> {
  const items: PayoutItem[] = [];
  for (let from = 0; from < facts.payouts.length; from += ITEMS_PER_TURN) {
    if (from > 0) await rest();
    items.push(...itemsOf(encryption, { ...facts, payouts: facts.payouts.slice(from, from + ITEMS_PER_TURN) }));
  }
  return items;
}

const payerOf = ({ payer, programName }: FileFacts): Payer => payer ?? { name: programName };

const fileRunOf = ({ run, programName }: FileFacts): FileRun => ({ runNumber: run.number, programName, at: run.at });

function itemsOf(encryption: Encryption, { payouts, methods, programName }: FileFacts): PayoutItem[] {
  return payouts.flatMap((payout): PayoutItem[] => {
    const method = methods.get(payout.partnerId);
    if (!method || method.methodId !== payout.methodId) return [];
    const { holderName, holderKind, country } = method;
    const destination = destinationOf(openDetails(encryption, method.detailsSealed));
    const { endToEndId, amountCents, currency, partnerId, partnerName } = payout;
    const note = `${programName} payout ${payout.id}`;
    return [
      {
        endToEndId,
        amountCents,
        currency,
        partnerId,
        partnerName,
        note,
        destination,
        holderName,
        holderKind,
        country: country ?? '',
      },
    ];
  });
}

function destinationOf(details: PayoutDetails): Destination {
  switch (details.kind) {
    case 'iban':
      return { kind: 'iban', iban: details.iban, bic: details.bic ?? undefined };
    case 'us_bank':
      return {
        kind: 'us_bank',
        routing_number: details.routingNumber,
        account_number: details.accountNumber,
        account_type: details.accountType,
      };
    case 'paypal':
    case 'wise':
    case 'other':
      return details;
  }
}

/** A file as it is stored. */
export function sealFile(encryption: Encryption, { bytes, ...file }: MadeFiles['files'][number]): NewPayoutFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...file, sha256, bytesSealed: encryption.seal(Buffer.from(bytes).toString('base64')) };
}

/** The content of a stored file. */
export function openFile(encryption: Encryption, sealed: string): Buffer {
  return Buffer.from(encryption.open(sealed), 'base64');
}

/** Why payouts are in no file, by their ids. */
export function notInFile({ notCarried }: Pick<MadeFiles, 'notCarried'>): Map<number, string> {
  return new Map(
    notCarried.flatMap(({ endToEndId, reason }): [number, string][] => {
      const id = payoutIdOf(endToEndId);
      return id === null ? [] : [[id, reason]];
    }),
  );
}
