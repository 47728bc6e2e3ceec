import mark from '../src/mark.svg';
import { Button } from '../src/ui/forms/button.tsx';
import { TextField } from '../src/ui/forms/field.tsx';
import { Allowed, EditableWith } from '../src/ui/layout/allowed.tsx';
import { AuthLayout } from '../src/ui/layout/auth-layout.tsx';
import { BackLink } from '../src/ui/layout/back-link.tsx';
import { BrandLogo } from '../src/ui/layout/brand-logo.tsx';
import { useBrandColor } from '../src/ui/layout/brand-look.ts';
import { Card, TitledCard } from '../src/ui/layout/card.tsx';
import { Checklist } from '../src/ui/layout/checklist.tsx';
import { Details } from '../src/ui/layout/details.tsx';
import { Logo } from '../src/ui/layout/logo.tsx';
import { NextStep } from '../src/ui/layout/next-step.tsx';
import { PageHeader } from '../src/ui/layout/page-header.tsx';
import { ProgramStatusNotice } from '../src/ui/layout/program-status-notice.tsx';
import { Step, StepHeading } from '../src/ui/layout/step.tsx';
import type { Example } from './example.tsx';
import { LONG_NAME, LONG_WORD } from './sample-records.ts';

const PROGRAM = {
  id: 1,
  name: 'Acme',
  domain: 'acme.test',
  commission: '20%',
  brand_color: null,
  logo_url: null,
} as const;

export const layout: readonly Example[] = [
  {
    name: 'PageHeader: title, description, actions, long',
    isWide: true,
    frameHeight: 480,
    show: () => (
      <>
        <PageHeader title="Commissions" />
        <PageHeader title="Commissions" description="What partners have earned, and what is still on hold." />
        <PageHeader title="Commissions" description="What partners have earned, and what is still on hold.">
          <Button>Export CSV</Button>
          <Button variant="primary">Add bonus</Button>
        </PageHeader>
        <PageHeader title={LONG_NAME}>
          <Button>Edit</Button>
        </PageHeader>
      </>
    ),
  },
  {
    name: 'AuthLayout',
    frameHeight: 480,
    isWholePage: true,
    show: () => (
      <AuthLayout title="Sign in" description="Welcome back." footer={<a href="#sign-up">Create an account</a>}>
        <TextField label="Email" type="email" />
      </AuthLayout>
    ),
  },
  {
    name: 'AuthLayout with NextStep',
    frameHeight: 320,
    isWholePage: true,
    show: () => (
      <AuthLayout
        title="Invitation not found"
        description="The link may be incomplete, or the invitation was revoked."
        footer={<NextStep />}
      />
    ),
  },
  {
    name: 'AuthLayout, in the color of a brand, title only',
    frameHeight: 360,
    isWholePage: true,
    show: BrandedSignIn,
  },
  {
    name: 'Checklist: some of it done',
    isWide: true,
    show: () => (
      <Checklist
        title="First steps"
        steps={[
          { title: 'Confirm your email address', isDone: true, action: null },
          { title: 'Create a link', isDone: false, action: <Button size="small">Create a link</Button> },
          { title: 'Make your first sale', isDone: false, action: null },
        ]}
      />
    ),
  },
  { name: 'Card', show: () => <Card className="p-5">Content of a card</Card> },
  {
    name: 'TitledCard',
    show: () => (
      <TitledCard
        title="Payouts"
        description="Where we send what you earn."
        action={<Button size="small">Edit</Button>}
      >
        Content of the card
      </TitledCard>
    ),
  },
  { name: 'TitledCard, title only, long', show: () => <TitledCard title={LONG_NAME}>Content of the card</TitledCard> },
  {
    name: 'Details',
    show: () => (
      <Details
        rows={[
          ['Email', 'ann@partners.test'],
          ['Customer key', LONG_WORD],
          ['A label that is longer than most', 'Short'],
        ]}
      />
    ),
  },
  {
    name: 'StepHeading: to do, done',
    show: () => (
      <div className="stack">
        <StepHeading number={1} title="Add the tracker" />
        <StepHeading number={2} title="Report sales" isDone />
      </div>
    ),
  },
  {
    name: 'Step: plain, unfolded, folded and done',
    show: () => (
      <ol className="stack">
        <Step number={1} title="Add the tracker">
          What to do
        </Step>
        <Step number={2} title="Report sales" isFolded={false}>
          What to do
        </Step>
        <Step number={3} title="Invite partners" isFolded isDone>
          What to do
        </Step>
      </ol>
    ),
  },
  {
    name: 'BackLink',
    show: () => (
      <BackLink>
        <a href="#partners">All partners</a>
      </BackLink>
    ),
  },
  {
    name: 'Logo, BrandLogo with and without an image',
    show: () => (
      <div className="row">
        <Logo />
        <Logo className="size-10" alt="svc" />
        <BrandLogo brand={{ name: 'Acme', logo_url: mark }} />
        <BrandLogo brand={{ name: 'Acme Industries', logo_url: null }} />
      </div>
    ),
  },
  {
    name: 'Allowed: allowed',
    show: () => (
      <Allowed route="manageUpdateProgram" to="change the program">
        <Button>Change the program</Button>
      </Allowed>
    ),
  },
  {
    name: 'Allowed: not allowed',
    at: '/app/programs/2/page',
    show: () => (
      <Allowed route="manageUpdateProgram" to="change the program">
        <Button>Change the program</Button>
      </Allowed>
    ),
  },
  {
    name: 'EditableWith: not allowed',
    at: '/app/programs/2/page',
    show: () => (
      <EditableWith route="manageUpdateProgram">
        <TextField label="Name" defaultValue="Acme" />
        <Button variant="primary" disabled>
          Save
        </Button>
      </EditableWith>
    ),
  },
  {
    name: 'EditableWith: allowed',
    show: () => (
      <EditableWith route="manageUpdateProgram">
        <TextField label="Name" defaultValue="Acme" />
      </EditableWith>
    ),
  },
  {
    name: 'ProgramStatusNotice: paused and archived, for both sides',
    show: () => (
      <>
        <ProgramStatusNotice program={{ ...PROGRAM, role: 'owner', status: 'paused' }} />
        <ProgramStatusNotice program={{ ...PROGRAM, role: 'partner', status: 'archived' }} />
        <ProgramStatusNotice program={{ ...PROGRAM, role: 'owner', status: 'active' }} />
      </>
    ),
  },
];

function BrandedSignIn() {
  useBrandColor('#c2410c');
  return (
    <AuthLayout title="Join the Acme partner program" logo={<BrandLogo brand={{ name: 'Acme', logo_url: mark }} />}>
      <Button variant="primary">Apply</Button>
    </AuthLayout>
  );
}
