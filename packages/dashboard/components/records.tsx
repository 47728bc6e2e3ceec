import { DataTable } from '../src/ui/lists/data-table.tsx';
import { AccountChanged } from '../src/ui/records/account-changed.tsx';
import { Answers } from '../src/ui/records/answers.tsx';
import { Avatar, NameWithAvatar } from '../src/ui/records/avatar.tsx';
import {
  CommissionStatusFilter,
  commissionAmountColumn,
  commissionDateColumn,
  commissionName,
  commissionRuleColumn,
  commissionStatusColumn,
} from '../src/ui/records/commission-columns.tsx';
import { CustomerStatusFilter, customerDateColumn, customerStatusColumn } from '../src/ui/records/customer-columns.tsx';
import { HandedOver } from '../src/ui/records/handed-over.tsx';
import { Identifier } from '../src/ui/records/identifier.tsx';
import { ReplaceInviteLinkDialog, RevokeInvitationDialog } from '../src/ui/records/invitation-dialogs.tsx';
import { InviteLinkDialog } from '../src/ui/records/invite-link-dialog.tsx';
import { Money } from '../src/ui/records/money.tsx';
import { AmountsByCurrency, MoneyTotals } from '../src/ui/records/money-totals.tsx';
import { NumbersLine, numberColumns } from '../src/ui/records/number-columns.tsx';
import { OpenLinkField } from '../src/ui/records/open-link-field.tsx';
import { OpeningBalances } from '../src/ui/records/opening-balances.tsx';
import { PartnerName } from '../src/ui/records/partner-name.tsx';
import { PartnerFilter, PartnerPicker } from '../src/ui/records/partner-picker.tsx';
import { PartnerStatus } from '../src/ui/records/partner-status.tsx';
import { PendingApplications } from '../src/ui/records/pending-applications.tsx';
import QrCodeDialog from '../src/ui/records/qr-code-dialog.tsx';
import { CustomerLink, PartnerLink, PayoutLink, TransactionLink } from '../src/ui/records/record-links.tsx';
import { RecordNotFound } from '../src/ui/records/record-not-found.tsx';
import { saleColumns } from '../src/ui/records/sale-columns.tsx';
import { SendLink } from '../src/ui/records/send-link.tsx';
import { DateOnly, Time, TimeAhead } from '../src/ui/records/time.tsx';
import type { Example } from './example.tsx';
import {
  AT,
  COMMISSIONS,
  CUSTOMERS,
  LONG_NAME,
  LONG_WORD,
  NO_NUMBERS,
  NUMBERS,
  PARTNERS,
  SALES,
} from './sample-records.ts';

const NAMES = ['Ann Baker', 'Cleo Diaz', 'Łukasz Müller', 'Dora', 'Eve Fox', 'Gil Hart', 'ida@partners.test', '?'];
const OPENING_BALANCES = [
  { source: 'rewardful', currency: 'USD', pending_cents: 1_200, approved_cents: 5_000, paid_cents: 90_000 },
  { source: 'tolt', currency: 'JPY', pending_cents: 0, approved_cents: 700, paid_cents: 0, commission_id: 7 },
].map((balance) => ({ partner_id: 1, commission_id: null, created_at: AT, ...balance }));
const nothing = () => undefined;
const asked = { recipient: 'Ann Archer', onConfirm: nothing, onClose: nothing, isBusy: false, error: null };
const invite = {
  recipient: 'ann@partners.test',
  url: `https://partners.acme.test/app/invite#${LONG_WORD}`,
  isOpen: true,
  onClose: nothing,
};

export const records: readonly Example[] = [
  {
    name: 'Avatar: sizes and colors',
    show: () => (
      <div className="row">
        {(['small', 'medium', 'large'] as const).map((size) => (
          <Avatar key={size} name="Ann Baker" size={size} />
        ))}
        {NAMES.map((name) => (
          <Avatar key={name} name={name} size="medium" />
        ))}
      </div>
    ),
  },
  {
    name: 'NameWithAvatar, PartnerName: long, unattributed',
    show: () => (
      <div className="stack">
        <NameWithAvatar name="Ann Baker" />
        <NameWithAvatar name={LONG_NAME} />
        <PartnerName name="Cleo Diaz" />
        <PartnerName name={null} />
      </div>
    ),
  },
  {
    name: 'PartnerStatus: with and without an account, blocked',
    show: () => (
      <div className="stack">
        <PartnerStatus status="active" hasAccount />
        <PartnerStatus status="active" hasAccount={false} />
        <PartnerStatus status="blocked" hasAccount={false} />
      </div>
    ),
  },
  {
    name: 'AccountChanged: changed, never',
    show: () => (
      <>
        <AccountChanged at={AT} />
        <AccountChanged at={null} />
      </>
    ),
  },
  {
    name: 'HandedOver',
    show: () => <HandedOver rows={[{ workspace: 'Acme', at: AT }]} />,
  },
  {
    name: 'Answers',
    show: () => (
      <Answers
        answers={[
          { question: 'Where do you publish?', answer: 'On my blog.\nAnd in a newsletter.' },
          { question: 'Your website', answer: LONG_WORD },
        ]}
      />
    ),
  },
  {
    name: 'Money: positive, negative, without decimals, huge',
    show: () => (
      <div className="row">
        <Money cents={123_456} currency="USD" />
        <Money cents={-500} currency="EUR" />
        <Money cents={1_200} currency="JPY" />
        <Money cents={123_456_789_012_345} currency="GBP" />
      </div>
    ),
  },
  {
    name: 'AmountsByCurrency: two currencies, the main one first, and none',
    show: () => (
      <div className="stack">
        <AmountsByCurrency money={NUMBERS.money} currency="USD" amountOf={({ revenue_cents: cents }) => cents} />
        <AmountsByCurrency money={[]} currency="USD" amountOf={() => 0} />
      </div>
    ),
  },
  {
    name: 'MoneyTotals: two currencies, not loaded yet',
    show: () => (
      <>
        <MoneyTotals totals={NUMBERS.money} amountOf={({ revenue_cents: cents }) => cents} />
        <MoneyTotals totals={undefined} amountOf={() => 0} />
      </>
    ),
  },
  {
    name: 'OpeningBalances: shown, and payable',
    show: () => <OpeningBalances balances={OPENING_BALANCES} />,
  },
  {
    name: 'NumbersLine: narrow only',
    show: () => (
      <div className="@container">
        <NumbersLine numbers={NUMBERS} commissionTitle="Commissions" />
        <NumbersLine numbers={NO_NUMBERS} commissionTitle="Commissions" />
      </div>
    ),
  },
  {
    name: 'Time: this year, another year, relative; TimeAhead: due; DateOnly',
    show: () => (
      <div className="row">
        <Time at={AT} />
        <Time at="2024-12-31T23:59:00.000Z" />
        <Time at={AT} isRelative />
        <TimeAhead at="2024-12-31T23:59:00.000Z" />
        <DateOnly at={AT} />
        <DateOnly at="2024-12-31T23:59:00.000Z" />
      </div>
    ),
  },
  {
    name: 'Identifier',
    show: () => (
      <div className="stack">
        <Identifier>order_1001</Identifier>
        <Identifier>{LONG_WORD}</Identifier>
      </div>
    ),
  },
  {
    name: 'TransactionLink, CustomerLink, PartnerLink, PayoutLink',
    show: () => (
      <div className="row">
        <TransactionLink programId={1} transactionId="order_1001" />
        <CustomerLink programId={1} customerId={1} label="customer_1" />
        <CustomerLink programId={1} customerId={2} label={LONG_WORD} />
        <PartnerLink programId={1} partnerId={1}>
          Ann Baker
        </PartnerLink>
        <PayoutLink viewer="brand" payoutId={7}>
          payout 7
        </PayoutLink>
        <PayoutLink viewer="partner" payoutId={7}>
          payout 7
        </PayoutLink>
      </div>
    ),
  },
  {
    name: 'OpenLinkField: bound, open',
    show: () => (
      <div className="stack">
        <OpenLinkField isOpenLink={false} onChange={nothing} />
        <OpenLinkField isOpenLink onChange={nothing} />
      </div>
    ),
  },
  {
    name: 'PartnerPicker: nothing selected, selected',
    show: () => (
      <div className="stack">
        <PartnerPicker programId={1} label="Partner" value={undefined} onValueChange={nothing} />
        <PartnerPicker programId={1} label="Partner" value="1" onValueChange={nothing} hint="Who gets the bonus." />
      </div>
    ),
  },
  {
    name: 'PartnerPicker, open',
    frameHeight: 280,
    press: '[role=combobox]',
    until: '[role=option]',
    show: () => <PartnerPicker programId={1} label="Partner" value="1" onValueChange={nothing} />,
  },
  {
    name: 'PartnerFilter, CommissionStatusFilter, CustomerStatusFilter',
    at: '/app/programs/1/commissions?status=pending&partner_id=1',
    show: () => (
      <div className="row">
        <PartnerFilter programId={1} />
        <CommissionStatusFilter viewer="brand" />
        <CustomerStatusFilter />
      </div>
    ),
  },
  {
    name: 'PendingApplications: one, several',
    show: () => (
      <div className="stack">
        <PendingApplications programId={1} />
        <PendingApplications programId={2} />
      </div>
    ),
  },
  {
    name: 'RecordNotFound',
    frameHeight: 320,
    show: () => <RecordNotFound noun="partner" id="99" list="/app/programs/$programId/partners" />,
  },
  {
    name: 'InviteLinkDialog, mailed',
    frameHeight: 420,
    until: '[role=dialog]',
    show: () => <InviteLinkDialog {...invite} isOpenLink={false} isMailed />,
  },
  {
    name: 'InviteLinkDialog, not mailed, for anyone',
    frameHeight: 420,
    until: '[role=dialog]',
    show: () => <InviteLinkDialog {...invite} isOpenLink isMailed={false} />,
  },
  {
    name: 'ReplaceInviteLinkDialog',
    frameHeight: 320,
    until: '[role=dialog]',
    show: () => <ReplaceInviteLinkDialog {...asked} />,
  },
  {
    name: 'RevokeInvitationDialog',
    frameHeight: 320,
    until: '[role=dialog]',
    show: () => <RevokeInvitationDialog {...asked} />,
  },
  {
    name: 'QrCodeDialog',
    frameHeight: 480,
    until: '[role=dialog] img',
    show: () => <QrCodeDialog url="https://partners.acme.test/r/ann" name="ann" onClose={nothing} />,
  },
  {
    name: 'Columns of commissions, for the brand',
    isWide: true,
    show: () => (
      <DataTable
        label="Commissions"
        rows={COMMISSIONS}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Transaction', cell: commissionName },
          commissionStatusColumn('brand'),
          commissionRuleColumn,
          commissionAmountColumn,
          commissionDateColumn,
        ]}
      />
    ),
  },
  {
    name: 'Columns of sales',
    isWide: true,
    show: () => (
      <DataTable
        label="Sales"
        rows={SALES}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Transaction', cell: ({ transaction_id: id }) => <Identifier>{id}</Identifier> },
          ...saleColumns,
        ]}
      />
    ),
  },
  { name: 'SendLink', show: () => <SendLink /> },
  {
    name: 'Columns of customers',
    show: () => (
      <DataTable
        label="Customers"
        rows={CUSTOMERS}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Customer', cell: ({ customer_key: key }) => key ?? 'Anonymous' },
          customerStatusColumn,
          customerDateColumn,
        ]}
      />
    ),
  },
  {
    name: 'Columns of numbers, with totals',
    isWide: true,
    show: () => (
      <DataTable
        label="Partners"
        rows={PARTNERS}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Partner', cell: ({ name }) => <PartnerName name={name} /> },
          ...numberColumns<(typeof PARTNERS)[number]>(NUMBERS, 'Commissions'),
        ]}
      />
    ),
  },
];
