import { randomBytes } from 'node:crypto';
import { errors, type ImportedPartner } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import {
  type ImportedLink,
  insertAliases,
  insertImportedLinks,
  type KnownCode,
  listKnownLinks,
} from '../partners/links/imported-link-store.ts';
import { destinationOf } from '../partners/links/link.ts';
import type { Program } from '../programs/program.ts';
import { outcomeOf, type PartOf, partsOf, type RowInProgress } from './import-row.ts';
import { insertImportItems } from './import-store.ts';

type LinkPart = PartOf<ImportedPartner['links'][number]>;
type Wanted = ImportedLink & { asked: LinkPart };

/** Gives the partners their links, and returns the ids of the new ones. A code that is taken elsewhere becomes an alias. */
export async function importLinks(
  tx: Transaction,
  ctx: Context,
  program: Pick<Program, 'id' | 'domain' | 'allowedOrigins'>,
  importId: number,
  rows: RowInProgress[],
): Promise<number[]> {
  const parts = partsOf(rows, ({ links }) => links);
  const wanted = new Map<string, Wanted>();
  for (const asked of parts) wantLink(program, wanted, asked);
  const codes = [...wanted.keys()];
  const before = byCode(await listKnownLinks(tx, program.id, codes));
  const free = [...wanted.values()].filter(({ code }) => !before.has(code));
  const created = await insertImportedLinks(tx, program.id, free, ctx.now());
  // Another request may have just taken a code.
  const lost = free.filter(({ code }) => !created.has(code)).map(({ code }) => code);
  const taken = new Map([...before, ...byCode(lost.length > 0 ? await listKnownLinks(tx, program.id, lost) : [])]);
  const aliases = await addAliases(tx, ctx, program.id, [...wanted.values()], taken);
  const linkOf = (code: string) => {
    const known = taken.get(code);
    const id = aliases.get(code)?.linkId ?? created.get(code) ?? known?.linkId;
    return id === undefined ? null : { id, shortLink: aliases.get(code)?.shortLink ?? known?.shortLink ?? code };
  };
  const newIds = new Set([...created.values(), ...[...aliases.values()].map(({ linkId }) => linkId)]);
  const accepted = [...wanted.values()].filter(({ code, partnerId }) => {
    const known = taken.get(code);
    return !known || aliases.has(code) || (known.isOwn && !known.isDeleted && known.partnerId === partnerId);
  });
  const items = accepted.map(({ code, asked }) => {
    const itemId = linkOf(code)?.id as number;
    return { itemId, isNew: newIds.has(itemId), parameter: asked.part.parameter };
  });
  const added = await insertImportItems(tx, importId, 'link', items);
  const isAccepted = new Set(accepted.map(({ code }) => code));

  for (const asked of parts) {
    const { code } = asked.part;
    const result = { code, link_id: null, short_link: null, alias: false } as const;
    const { links } = asked.row.result;
    const first = wanted.get(code);
    if (first?.asked !== asked) {
      const refusal = refusedBefore(program, first, asked);
      links.push({ ...result, outcome: refusal ? 'refused' : 'unchanged', message: refusal ?? REPEATED });
    } else if (isAccepted.has(code)) {
      const { id, shortLink } = linkOf(code) as { id: number; shortLink: string };
      const outcome = outcomeOf({ isNew: newIds.has(id), isAdded: added.has(id) });
      links.push({ code, outcome, link_id: id, short_link: shortLink, alias: shortLink !== code, message: null });
    } else {
      links.push({ ...result, outcome: 'refused', message: clashOf(taken.get(code) as KnownCode) });
    }
  }
  return [...newIds];
}

const REPEATED = 'It is in the request more than once.';

function wantLink(program: Pick<Program, 'domain' | 'allowedOrigins'>, wanted: Map<string, Wanted>, asked: LinkPart) {
  const { code } = asked.part;
  const destinationUrl = destinationFor(program, asked);
  if (wanted.has(code) || destinationUrl === undefined) return;
  wanted.set(code, { code, shortLink: code, partnerId: asked.partnerId, destinationUrl, asked });
}

/** Where the link leads; null for the start page, and undefined if the brand does not allow the site. */
function destinationFor(program: Pick<Program, 'domain' | 'allowedOrigins'>, { part }: LinkPart) {
  if (part.destination_url === undefined) return null;
  return destinationOf(program, part.destination_url) ?? undefined;
}

function refusedBefore(
  program: Pick<Program, 'domain' | 'allowedOrigins'>,
  first: Wanted | undefined,
  asked: LinkPart,
) {
  if (destinationFor(program, asked) === undefined) return errors.destinationNotAllowed(program.domain).message;
  if (first && first.partnerId !== asked.partnerId)
    return `Row ${first.asked.row.row} has this code for another partner.`;
  return null;
}

function clashOf({ isDeleted, partnerName, code }: KnownCode): string {
  if (isDeleted) return `The link ${code} was deleted in this program, and its code is not given out again.`;
  return `The code ${code} is already a link of ${partnerName ?? 'another partner'} in this program.`;
}

const byCode = (known: KnownCode[]) => new Map(known.map((each) => [each.code, each]));

/** Adds a link with another short link for each code that another program has, and lets the code lead there. */
async function addAliases(
  tx: Transaction,
  ctx: Context,
  programId: number,
  wanted: Wanted[],
  taken: Map<string, KnownCode>,
): Promise<Map<string, { linkId: number; shortLink: string }>> {
  const elsewhere = wanted
    .filter(({ code }) => taken.get(code)?.isOwn === false)
    .map((link) => ({ ...link, shortLink: randomBytes(6).toString('hex') }));
  const ids = await insertImportedLinks(tx, programId, elsewhere, ctx.now());
  const aliases = elsewhere.map(({ code, shortLink }) => ({ code, shortLink, linkId: ids.get(shortLink) as number }));
  await insertAliases(tx, programId, aliases, ctx.now());
  return new Map(aliases.map(({ code, ...alias }) => [code, alias]));
}
