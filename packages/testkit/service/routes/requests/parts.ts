import type { OwnedProgram } from '../../accounts.ts';
import type { TestService } from '../../service.ts';

type Make<Value> = (service: TestService, created: OwnedProgram) => Value | Promise<Value>;
type Body = Record<string, unknown>;
type PathValue = string | number;
type MakeValue = (service: TestService, created: OwnedProgram, routeId: string) => PathValue | Promise<PathValue>;

/** What the valid requests of some routes consist of. Each part makes what it names. */
export type RequestParts = {
  /** Bodies, by the id of the route. */
  bodies: Record<string, Make<Body>>;
  /** What a route needs without naming it. */
  first?: Record<string, Make<unknown>>;
  /** The values of parameters in paths, by the name of the parameter. */
  params?: Record<string, MakeValue>;
  /** The queries that routes need, by the id of the route. */
  queries?: Record<string, Make<string>>;
};
