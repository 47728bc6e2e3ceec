/** The known name that a misspelled one is most likely meant to be; null when none is close. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: distanceOf(name.slice(0, 100).toLowerCase(), candidate) }))
    .sort((one, other) => one.distance - other.distance);
  if (!nearest) return null;
  const { candidate, distance } = nearest;
  return distance < candidate.length && distance <= Math.max(1, candidate.length / 3) ? candidate : null;
}

/** How many letters have to be added, left out, replaced or swapped with the next one. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, current];
  }
  return at(last, other.length);
}

const at = (row: number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;
