import type { RouteDefinition } from '@svc/contract';
import { type OwnedProgram, ownedProgram } from '../accounts.ts';
import type { TestService } from '../service.ts';
import { type ValidRequest, validRequest } from './valid-request.ts';

/** Their valid request works once for a program, or changes something that other requests need. */
const NEEDS_OWN_PROGRAM = [
  'manageAddDomain',
  'manageAddGroup',
  'manageAddWebhook',
  'manageDeleteLink',
  'manageLiftPayoutWait',
  'manageLogout',
  'manageMarkPayoutsPaid',
  'manageRegenerateKey',
  'manageRequireRotation',
  'manageReviewCommissions',
  'manageSetProgramStatus',
  'manageStartPayouts',
  'manageUpdateGroup',
  'manageUpdateLink',
  'manageUpdatePartner',
];

/** Whether the valid requests of the route can share a program with those of others, however often they are sent. */
export const canShare = ({ id, auth, path }: RouteDefinition) =>
  auth !== 'program-key' && !path.includes('/track/') && !NEEDS_OWN_PROGRAM.includes(id);

/** A path at which the route is served, for requests that are refused before anyone looks for what it names. */
export const pathOf = ({ path }: RouteDefinition) => path.replace(/:[a-z_]+/g, '1');

/** Valid requests for one program, where the route allows it: creating a program takes longer than most requests. */
export function useSharedRequests(service: TestService): (route: RouteDefinition) => Promise<ValidRequest> {
  let shared: Promise<OwnedProgram> | undefined;
  return async (route) => {
    if (!canShare(route)) return validRequest(service, route);
    shared ??= ownedProgram(service);
    return validRequest(service, route, await shared);
  };
}
