import type { z } from 'zod';
import { errors, type FieldProblem } from '../errors/errors.ts';
import type { FieldPlace } from '../errors/service-error.ts';
import type { RouteDefinition } from './route.ts';

/** What the route's own check of all fields together says. */
export function precheckProblem({ precheck }: RouteDefinition, sent: Record<string, unknown>): FieldProblem | null {
  const refusal = precheck?.(sent) ?? null;
  return typeof refusal === 'string' ? { message: refusal } : refusal;
}

/** The first problem that a schema found. The order of fields is the order of checks. */
export function schemaProblem({ issues: [issue] }: z.ZodError): FieldProblem {
  if (!issue) return { message: errors.invalidRequest().message };
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return { message: issue.message, ...placeOf([...issue.path, ...unknown]) };
}

/** `rules[1].pays.rate` is `pays.rate` of rule 2. In other lists, the list is the field. */
function placeOf(path: PropertyKey[]): FieldPlace {
  const [first, index, ...inRule] = path;
  if (first === 'rules' && typeof index === 'number') {
    return { rule: index + 1, ...(inRule.length > 0 && { field: inRule.join('.') }) };
  }
  const item = path.findIndex((part) => typeof part === 'number');
  const names = item === -1 ? path : path.slice(0, item);
  return names.length > 0 ? { field: names.join('.') } : {};
}
