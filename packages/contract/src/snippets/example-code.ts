import { type ProgramTracker, SHARED_TRACKER } from '../values/link-parameters.ts';
import { EXAMPLES } from './examples.ts';

export type ExampleName = keyof typeof EXAMPLES;

/** The address of the service and the id of the program in the files of `examples/`. */
const ADDRESS = 'https://track.example.com';
const PROGRAM = /\b42\b/g;

const SCRIPT = /(\/js\/svc-tracker(?:-stripe)?)\.js/g;
const PACKAGE_OPTIONS = /(init\(\{ programId: \d+, apiBase: '[^']+')(?= \})/;

/** Returns the code of parts of `examples/`, one after the other, with the values of a program. */
export function exampleCode(
  baseUrl: string,
  programId: number,
  tracker: ProgramTracker = SHARED_TRACKER,
): (...names: ExampleName[]) => string {
  return (...names) =>
    names
      .map((name) =>
        withTracker(EXAMPLES[name].replace(PROGRAM, String(programId)), programId, tracker).replaceAll(
          ADDRESS,
          () => baseUrl,
        ),
      )
      .join('\n');
}

/** The code with the program’s own tracker, if it reads other parameters, or with its options for the package. */
function withTracker(code: string, programId: number, tracker: ProgramTracker): string {
  const { link_parameters: parameters, cookie_window_days: days } = tracker;
  if (parameters.length === 0) return code;
  const names = parameters.map((name) => `'${name}'`).join(', ');
  const options = [
    `linkParameters: [${names}]`,
    ...(days === SHARED_TRACKER.cookie_window_days ? [] : [`cookieDays: ${days}`]),
  ];
  return code.replace(SCRIPT, `$1-${programId}.js`).replace(PACKAGE_OPTIONS, `$1, ${options.join(', ')}`);
}

export function isExampleName(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLES, name);
}
