// The build writes these types out, so that the package does not depend on the contract.
import type { CallOf, ReplyOf, RouteDefinition } from '@svc/contract';

type Contract = typeof import('@svc/contract');
type Managed = RouteDefinition & { path: `/api/v1/manage/${string}` };
type PathOf<Route extends RouteDefinition> = Route['path'] extends `/api/v1/manage${infer Path}` ? Path : never;

/** Routes whose bodies or replies are files are not called through this client. */
type WithFile = { replyType: string } | { receives: readonly string[] };
type Route = {
  [Name in keyof Contract]: Contract[Name] extends Managed ? Exclude<Contract[Name], WithFile> : never;
}[keyof Contract];

/** Every route of the management API, by method and path: what it takes and what it returns. */
export type ManageRoutes = {
  [One in Route as `${One['method']} ${PathOf<One>}`]: {
    query: CallOf<One>['query'];
    body: CallOf<One>['body'];
    reply: ReplyOf<One>;
  };
};
