import { advance, sdk } from '../../support/service.ts';
import { BROWSER } from './support.ts';

/** An attempt of the official SDK to sign in from an address. */
export const attempt = (email: string, ipAddress: string) =>
  sdk().radar.createAttempt({ ipAddress, userAgent: BROWSER, email, authMethod: 'Password', action: 'sign-in' });

/** A user whose network an attacker uses as well. */
export interface Neighbour {
  email: string;
  address: string;
}

/** Signs in a user successfully from each address. */
export async function addNeighbours(addresses: number): Promise<Neighbour[]> {
  const people = Array.from({ length: addresses }, (_, at) => ({
    email: `person${at}@example.com`,
    address: `203.0.113.${at}`,
  }));
  for (const { email, address } of people) {
    const { attemptId } = await attempt(email, address);
    await sdk().radar.updateAttempt({ id: attemptId, attemptStatus: 'success' });
  }
  await advance(120);
  return people;
}

/**
 * Makes a hundred attempts from each address, each with another email.
 * @returns the number of each verdict
 */
export async function stuff(addresses: number): Promise<{ allow: number; challenge: number; block: number }> {
  const verdicts = { allow: 0, challenge: 0, block: 0 };
  for (let round = 0; round < 100; round += 1) {
    const wave = Array.from({ length: addresses }, (_, at) =>
      attempt(`victim${round}-${at}@example.net`, `203.0.113.${at}`),
    );
    for (const { verdict } of await Promise.all(wave)) verdicts[verdict] += 1;
    if (round % 10 === 9) await advance(10);
  }
  return verdicts;
}
