import { environmentIdOf } from '../authentication/api-key.ts';
import { mintKey, readKey } from '../authentication/secret-key.ts';
import { clock } from '../clock.ts';
import { browserValue, isOwnPage } from '../http/browser.ts';
import type { Binding } from '../http/cookies.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { readUlid } from '../id-format.ts';
import { constantTimeEqual } from '../keys/hash.ts';
import { computeProof } from './form.ts';

interface LinkRow {
  expiresAt?: number;
}

/**
 * Links with a token that gives access to one record, such as those in mails. The token has full entropy and names its
 * environment. The record's id is its SHA-256, so it is read with one GetItem and the table never contains the token.
 * Opening a link has no effect, since mail scanners open links too. The page describes the effect and has a form, whose POST
 * checks {@link sentByPage} and removes or revises the record. The version of the record makes the link work only once.
 * @param prefix the beginning of each token, such as `connect_`, by which secret scanners recognize it
 * @param rows the collection of the records; an expired row is not found
 */
export function pageLinks<Row extends LinkRow>(
  prefix: string,
  rows: { get: (environmentId: string, id: string) => Promise<Row | undefined> },
) {
  return {
    /** A new token, and the id of its record. */
    mint(environmentId: string): { token: string; id: string } {
      const { value, hash } = mintKey(prefix, readUlid(environmentId));
      return { token: value, id: hash };
    },

    /**
     * Finds the record of a token; undefined if the token is malformed or unknown, or has expired.
     * @param within the only environment whose tokens are accepted; any environment if absent
     */
    async find(token: string, within?: string): Promise<Row | undefined> {
      const key = readKey(prefix, token);
      if (key === undefined) return undefined;
      const environmentId = environmentIdOf(key.ulid);
      if (within !== undefined && environmentId !== within) return undefined;
      const row = await rows.get(environmentId, key.hash);
      return row === undefined || (row.expiresAt ?? 0) <= clock.seconds() ? undefined : row;
    },
  };
}

/**
 * Checks that a form was sent by the page that this browser was shown, and returns the value of its cookie. Returns
 * undefined otherwise, such as for a form of another site (CSRF) or of an outdated page.
 * @param form `subject` is the subject of the page, such as a token; `proof` is the proof in the form
 * @param address the public address of the page; by default that of the API
 */
export function sentByPage(
  request: IncomingRequest,
  binding: Binding,
  form: { subject: string; proof: string },
  address?: string,
): string | undefined {
  const value = isOwnPage(request, address) ? browserValue(request, binding) : undefined;
  const isSent = value !== undefined && constantTimeEqual(form.proof, computeProof({ value, subject: form.subject }));
  return isSent ? value : undefined;
}
