import {
  errors,
  manageDeletePayoutMethod,
  managePayoutMethod,
  manageSetPayoutMethod,
  type PayoutMethodRow,
  type ShownMethod,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { removePayoutMethod, setPayoutMethod } from '../../../accounts/payout-method/change-payout-method.ts';
import { ibanProblem } from '../../../payout-files/iban.ts';
import type { PayoutDetails } from '../../../payout-methods/payout-method.ts';
import { findMethod, type StoredMethod } from '../../../payout-methods/payout-method-store.ts';
import { addRoute } from '../../add-route.ts';
import { bodyOf } from '../../body.ts';
import { signedInUser } from '../../callers/signed-in-user.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManagePayoutMethodRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, managePayoutMethod, async (request) => {
    const { user } = await signedInUser(ctx, request);
    const method = await findMethod(ctx.db, user.id);
    return { data: method && toMethodReply(method) };
  });

  addRoute(app, manageSetPayoutMethod, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const sent = bodyOf(manageSetPayoutMethod, request);
    const { holder_name: holderName, holder_kind: holderKind, country } = sent;
    const asked = { details: detailsOf(sent), holderName, holderKind, country };
    return { data: toMethodReply(await setPayoutMethod(ctx, user.id, asked, actor)) };
  });

  addRoute(app, manageDeletePayoutMethod, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    await removePayoutMethod(ctx, user.id, actor);
    return { data: {} };
  });
}

/** What the kind needs, which the contract has made sure is there. */
function detailsOf(sent: z.output<typeof manageSetPayoutMethod.body>): PayoutDetails {
  const { kind, email = '', iban = '', bic = null, text = '' } = sent;
  switch (kind) {
    case 'paypal':
    case 'wise':
      return { kind, email };
    case 'iban': {
      const message = ibanProblem(iban);
      if (message) throw errors.invalidField({ message, field: 'iban' });
      return { kind, iban, bic };
    }
    case 'us_bank': {
      const { routing_number: routingNumber = '', account_number: accountNumber = '', account_type } = sent;
      return { kind, routingNumber, accountNumber, accountType: account_type ?? 'checking' };
    }
    case 'other':
      return { kind, text };
  }
}

function toMethodReply(method: StoredMethod): PayoutMethodRow {
  return {
    ...toShownMethod(method),
    holder_name: method.holderName,
    holder_kind: method.holderKind,
    country: method.country,
    updated_at: method.createdAt.toISOString(),
  };
}

/** What is shown of a method besides its holder. */
export function toShownMethod({
  kind,
  masked,
  usableFrom,
}: Pick<StoredMethod, 'kind' | 'masked' | 'usableFrom'>): ShownMethod {
  return { kind, masked, usable_from: usableFrom.toISOString() };
}
