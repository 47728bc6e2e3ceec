import { EXAMPLES } from './examples.ts';

export type ExampleName = keyof typeof EXAMPLES;

/** The address of the service and the id of the program in the files of `examples/`. */
const ADDRESS = 'https://track.example.com';
const PROGRAM = /\b42\b/g;

/** Returns the code of parts of `examples/`, one after the other, with the values of a program. */
export function exampleCode(baseUrl: string, programId: number): (...names: ExampleName[]) => string {
  return (...names) =>
    names
      .map((name) => EXAMPLES[name].replace(PROGRAM, String(programId)).replaceAll(ADDRESS, () => baseUrl))
      .join('\n');
}

export function isExampleName(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLES, name);
}
