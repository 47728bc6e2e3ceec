import type { Data } from '../../../api/client.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../../ui/layout/details.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { PayoutMethod } from './payout-method.tsx';

export type PartnerData = Data<'managePartner'>;

/** How to reach and pay the partner, and since when they are one. */
export function Profile({ partner }: { partner: PartnerData }) {
  const { email, invitation, payout_method: method, has_account: hasAccount } = partner;
  const rows: DetailRow[] = [
    [
      'Email',
      <span key="email">
        <a href={`mailto:${email}`} className="text-accent underline">
          {email}
        </a>{' '}
        {partner.undeliverable && <Badge tone="bad">Email can’t be delivered</Badge>}
      </span>,
    ],
    ...(partner.external_id === null ? [] : [['External ID', partner.external_id] as DetailRow]),
    ['Account', hasAccount ? 'Has an account' : 'No account yet'],
    ...(invitation ? [['Invitation', <InvitationState key="invitation" invitation={invitation} />] as DetailRow] : []),
    ['Paid to', <PayoutMethod key="payout" {...{ partner, method }} />],
    [partner.status === 'applied' ? 'Applied' : 'Added', <Time key="added" at={partner.created_at} />],
  ];
  return (
    <TitledCard title="Details">
      <Details rows={rows} />
    </TitledCard>
  );
}

function InvitationState({ invitation }: { invitation: NonNullable<PartnerData['invitation']> }) {
  const { email, expires_at: expiresAt, expired: isExpired } = invitation;
  return (
    <>
      Sent to {email}, {isExpired ? 'expired' : 'expires'} <Time at={expiresAt} />
    </>
  );
}
