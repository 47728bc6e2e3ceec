/**
 * The functions in a schema that only served nodes of an earlier release, and that this version needs no more. They are marked
 * with `-- until: <version>`: the first release that no longer runs beside those nodes.
 */
export function overdueShims(sql: string, version: string): string[] {
  const functions = sql.matchAll(/^create function (\w+)\([^$]*\$\$([\s\S]*?)\$\$;$/gm);
  return [...functions].flatMap(([, name, body = '']) => {
    const [, until] = /-- until: (\d+\.\d+\.\d+)$/m.exec(body) ?? [];
    return until && !isBefore(version, until) ? [`${name}, until ${until}`] : [];
  });
}

function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}
