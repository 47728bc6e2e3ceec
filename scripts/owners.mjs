/**
 * Who owns what, as the table of folders in ARCHITECTURE.md says: by folder, the tables that it writes and the functions of the
 * database that are its own.
 *
 * @param {string} architecture
 * @returns {{ folder: string, tables: string[], functions: string[] }[]}
 */
export function readOwners(architecture) {
  const rows = architecture.matchAll(/^\| `([a-z-]+)\/` +\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm);
  return [...rows].map(([, folder = '', , tables = '', functions = '']) => ({
    folder,
    tables: names(tables),
    functions: names(functions),
  }));
}

/**
 * The functions of triggers of which ARCHITECTURE.md says what they keep true.
 *
 * @param {string} architecture
 * @returns {string[]}
 */
export function readInvariants(architecture) {
  const rows = architecture.matchAll(/^\| ((?:`\w+`(?:, )?)+) +\|([^|]+)\|$/gm);
  return [...rows].flatMap(([, functions = '']) => names(functions));
}

function names(/** @type {string} */ cell) {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}
