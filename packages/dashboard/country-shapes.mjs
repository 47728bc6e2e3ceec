// Makes the shapes of the map of countries, when the application is built: a path for each country, by its code.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * @typedef {[longitude: number, latitude: number]} Place
 * @typedef {[x: number, y: number]} Point
 * @typedef {{ id?: string, properties: { name: string }, type: 'Polygon', arcs: number[][] }} Polygon
 * @typedef {{ id?: string, properties: { name: string }, type: 'MultiPolygon', arcs: number[][][] }} MultiPolygon
 * @typedef {{
 *   arcs: Point[][],
 *   transform: { scale: Point, translate: Point },
 *   objects: { countries: { geometries: (Polygon | MultiPolygon)[] } },
 * }} Atlas
 */

/** The part of the plane that the paths are in: the ends of the equator are only sea. */
export const MAP_VIEW = { x: 40, y: -1, width: 924, height: 434 };
const WORLD_WIDTH = 1000;

/** The map begins where the sea between Asia and America is, so that no country is torn apart. */
const WEST = -169;
/** Nobody lives south of it. */
const SOUTH = -58;
const NORTH = 84;

/** Without a number of their own in the standard. Databases of addresses have these codes for them. */
const CODES = new Map([
  ['Kosovo', 'XK'],
  ['N. Cyprus', 'CY'],
  ['Somaliland', 'SO'],
]);

/** Paths by the two-letter codes of countries. Very small ones are not in the atlas. */
export function countryShapes() {
  const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
  /** @type {Atlas} */
  const atlas = JSON.parse(readFileSync(file, 'utf8'));
  const arcs = atlas.arcs.map((arc) => placesOf(arc, atlas.transform));
  /** @type {Record<string, string>} */
  const shapes = {};
  for (const country of atlas.objects.countries.geometries) {
    const polygons = country.type === 'Polygon' ? [country.arcs] : country.arcs;
    const rings = polygons.flat().map((ring) => ringOf(ring, arcs));
    const path = rings
      .filter((ring) => ring.some(([, latitude]) => latitude > SOUTH))
      .map((ring) => pathOf(ring.map(project)))
      .join('');
    const code = codeOf(country);
    if (path !== '') shapes[code] = (shapes[code] ?? '') + path;
  }
  return shapes;
}

/** Locales know countries by their numbers too. */
function codeOf(/** @type {Polygon | MultiPolygon} */ { id, properties: { name } }) {
  const code = id === undefined ? CODES.get(name) : new Intl.Locale(`und-${id}`).region;
  if (code === undefined || !/^[A-Z]{2}$/.test(code)) throw new Error(`${name} in world-atlas has no code`);
  return code;
}

/** In the file, each point is the difference to the one before, in whole steps. */
function placesOf(/** @type {Point[]} */ arc, /** @type {Atlas['transform']} */ { scale, translate }) {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return /** @type {Place} */ ([x * scale[0] + translate[0], y * scale[1] + translate[1]]);
  });
}

/** A border between two countries is one arc of both; a number below zero is the arc of its complement, backwards. */
function ringOf(/** @type {number[]} */ ring, /** @type {Place[][]} */ arcs) {
  const places = ring.flatMap((index) => {
    const arc = arcs[index < 0 ? ~index : index] ?? [];
    // Its last place is the first of the next arc.
    return (index < 0 ? [...arc].reverse() : arc).slice(0, -1);
  });
  return unbroken(places);
}

/** The longitudes of a ring, so that neighbors are next to each other, also across the 180th meridian. */
function unbroken(/** @type {Place[]} */ ring) {
  let shift = 0;
  let before = ring[0]?.[0] ?? 0;
  const places = ring.map(([longitude, latitude]) => {
    if (longitude + shift - before > 180) shift -= 360;
    if (longitude + shift - before < -180) shift += 360;
    before = longitude + shift;
    return /** @type {Place} */ ([before, latitude]);
  });
  const middle = places.reduce((sum, [longitude]) => sum + longitude, 0) / places.length;
  const turn = middle < WEST ? 360 : middle >= WEST + 360 ? -360 : 0;
  return places.map(([longitude, latitude]) => /** @type {Place} */ ([longitude + turn, latitude]));
}

// The Equal Earth projection (Šavrič, Patterson and Jenny, 2018): areas keep their proportions.
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796];
const ROOT = Math.sqrt(3);

function equalEarth(/** @type {Place} */ [longitude, latitude]) {
  const angle = Math.asin((ROOT / 2) * Math.sin((latitude * Math.PI) / 180));
  const square = angle * angle;
  const sixth = square ** 3;
  const slope = A1 + 3 * A2 * square + sixth * (7 * A3 + 9 * A4 * square);
  const x = (((longitude - WEST - 180) * Math.PI) / 180) * Math.cos(angle) * (2 / (ROOT * slope));
  return { x, y: angle * (A1 + A2 * square + sixth * (A3 + A4 * square)) };
}

const EDGE = equalEarth([WEST + 360, 0]).x;
const TOP = equalEarth([0, NORTH]).y;

/** Where a place is on the map. */
function project(/** @type {Place} */ place) {
  const scale = WORLD_WIDTH / (2 * EDGE);
  const { x, y } = equalEarth(place);
  return /** @type {Point} */ ([(x + EDGE) * scale, (TOP - y) * scale]);
}

/** A closed path, to a tenth of a unit. Each point is relative to the one before, and points that fall together are one. */
function pathOf(/** @type {Point[]} */ ring) {
  let [x, y] = [0, 0];
  const steps = ring.flatMap((point) => {
    const [toX, toY] = point.map((value) => Math.round(value * 10));
    if (toX === undefined || toY === undefined || (toX === x && toY === y)) return [];
    const step = `${(toX - x) / 10},${(toY - y) / 10}`;
    [x, y] = [toX, toY];
    return [step];
  });
  const [start, ...rest] = steps;
  return rest.length < 2 ? '' : `M${start}l${rest.join(' ')}z`;
}
