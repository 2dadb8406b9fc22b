/** A location on the earth, in degrees. */
export interface Place {
  country: string;
  latitude?: number | undefined;
  longitude?: number | undefined;
  /** The source of the location; absent if it is the table of places. */
  source?: 'CloudFront' | undefined;
}

/** Mean radius of the earth, in km. */
const EARTH_KM = 6_371;

/** The uncertainty of the location of an address, in km, which is subtracted at both ends. */
const UNCERTAIN_KM = 100;

/** Minimum time for which a speed is computed, in hours. */
const SHORTEST_HOURS = 1 / 60;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The distance of two locations in km (haversine formula), less the uncertainty of both; undefined without coordinates. */
export function distanceKm(a: Place, b: Place): number | undefined {
  const [aLat, aLon, bLat, bLon] = [a.latitude, a.longitude, b.latitude, b.longitude];
  if (aLat === undefined || aLon === undefined || bLat === undefined || bLon === undefined) return undefined;
  const height = Math.sin(radians(bLat - aLat) / 2) ** 2;
  const width = Math.sin(radians(bLon - aLon) / 2) ** 2;
  const angle = height + Math.cos(radians(aLat)) * Math.cos(radians(bLat)) * width;
  return Math.max(0, Math.round(2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(angle))) - 2 * UNCERTAIN_KM));
}

/**
 * The speed in km/h for a distance in a time.
 * @param milliseconds less than a minute counts as one
 */
export const speedKmh = (km: number, milliseconds: number): number =>
  Math.round(km / Math.max(SHORTEST_HOURS, milliseconds / 3_600_000));
