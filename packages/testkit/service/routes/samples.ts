import type { Customer } from '../../../server/src/customers/customer.ts';
import type { Program } from '../../../server/src/programs/program.ts';

export const CLICKED_AT = new Date('2026-03-10T12:00:00.000Z');

export const sampleProgram = (parts: Partial<Program> = {}): Program => ({
  id: 1,
  workspaceId: 1,
  name: 'Acme',
  slug: 'acme-1',
  domain: 'acme.test',
  commissionType: 'percent',
  commissionRate: '20',
  commissionBase: 'net',
  currency: 'USD',
  recurringMonths: null,
  cookieWindowDays: 60,
  attributionWindowDays: 60,
  holdDays: 30,
  leadAuth: 'browser_allowed',
  couponsWin: false,
  allowedOrigins: [],
  linkParameters: [],
  joining: 'closed',
  status: 'active',
  brandColor: null,
  logoName: null,
  questions: [],
  agreementVersion: null,
  contactEmail: null,
  contactUrl: null,
  joinToken: 'svc_join_1',
  termsVersion: 1,
  termsSince: CLICKED_AT,
  rules: [],
  scheduledTerms: [],
  defaultGroupId: 1,
  createdAt: CLICKED_AT,
  ...parts,
});

/** A customer who followed a partner’s link and has done nothing since. */
export const sampleCustomer = (parts: Partial<Customer> = {}): Customer => ({
  id: 10,
  programId: 1,
  linkId: 3,
  partnerId: 4,
  membershipId: 5,
  clickedAt: CLICKED_AT,
  customerKey: null,
  status: 'click',
  leadAt: null,
  leadState: null,
  leadSource: null,
  claimedCustomerKey: null,
  convertedAt: null,
  assignedAt: null,
  isTest: false,
  ...parts,
});

/** A customer who signed up without a click. */
export const unattributedCustomer = (parts: Partial<Customer> = {}): Customer =>
  sampleCustomer({
    linkId: null,
    partnerId: null,
    membershipId: null,
    clickedAt: null,
    status: 'lead',
    leadAt: CLICKED_AT,
    leadState: 'settled',
    ...parts,
  });
