import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { withoutGroup } from '../../lib/topology/places.ts';
import { advance, now, reset } from '../support/service.ts';
import { type Revocation, REVOCATIONS } from './revocations.ts';

/** The time in which a revocation takes effect (GATEHOUSE_CREDENTIAL_CACHE_MS), in seconds. */
const SECONDS = 5;

const functions = fileURLToPath(new URL('../../functions', import.meta.url));

/** The declarations of what outlives a call in the memory of an instance: caches, and collections that begin empty. */
const DECLARATIONS = [
  /(?:const|readonly) #?(\w+)[^=\n]*= new (?:TtlCache|LruMap|KeyCache|KeySetCache|Snapshots|Recent)\b/g,
  /(#?\w+)[:=] ?new (?:TtlCache|LruMap|KeyCache|KeySetCache|Snapshots|Recent)\b/g,
  /this\.#(\w+) = new (?:TtlCache|LruMap|KeyCache|KeySetCache|Snapshots|Recent)\b/g,
  /^(?:export )?const (\w+)[^=\n]*= new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\);/gm,
];

/** Every cache of the source, as `path name`. */
function listCaches(): string[] {
  const files = readdirSync(functions, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const text = readFileSync(`${functions}/${file}`, 'utf8');
    return DECLARATIONS.flatMap((declaration) =>
      [...text.matchAll(declaration)].map(([, name]) => `${withoutGroup(file)} ${name}`),
    );
  });
  return [...new Set(found)].toSorted();
}

/**
 * Every cache with the reason why nothing in it outlives a revocation: the names of the revocations that are tried below, or why its
 * content cannot be revoked.
 */
const CACHES: Readonly<Record<string, readonly Revocation[] | string>> = {
  'api-keys/api-key/validate.ts seen': 'the immutable part of a key; its row is read at each use',
  'api-keys/owner/holder-state.ts held': [
    'the person of an agent’s key and token',
    'an agent by a stop',
    'the membership of a key’s user',
    'the organization of a key',
    'the user of a key',
  ],
  'audit-logs/action/find.ts compiled': 'compiled schemas, which never change',
  'audit-logs/action/find.ts recent': 'schemas of events, which grant nothing; five seconds from the read',
  'audit-logs/evidence/intervals.ts marked': 'marks of intervals that were written, which grant nothing',
  'audit-logs/organization.ts recent': 'that an organization exists; five seconds from the read',
  'account/session/caller.ts foundBy': 'of one request',
  'authorization-server/client-locator.ts located': 'the environment of a client id, which never changes',
  'authorization/check/facts.ts notes': 'predictions of rows, which are read',
  'authorization/resource/notes.ts ids': 'predictions of rows, which are read',
  'authorization/resource/notes.ts notes': 'predictions of rows, which are read',
  'connect/client-assertion/keys.ts keySets':
    'public keys at an address of the client, for five minutes from the fetch',
  'console/operator.ts known': 'names of environments, never a right; five seconds from the read',
  'console/operator.ts visits': 'of one request',
  'credentials/password/decoys.ts cached': 'costs of hashes, which grant nothing',
  'credentials/password/decoys.ts staged': 'of one unit of work',
  'directory-sync/directory/rate.ts buckets': 'counters of requests',
  'directory-sync/scim/authenticate.ts cached': [
    'a SCIM token',
    'the link of a directory',
    'the directory of a SCIM token',
    'a setting of a directory',
  ],
  'directory-sync/scim/authenticate.ts ofCaller': 'of one request',
  'directory-sync/scim/sources.ts NO_GROUPS': 'a constant',
  'feature-flags/flag/set.ts sets': 'compared with a version at each use',
  'feature-flags/poll/load.ts cachedIds': 'compared with a version at each use',
  'feature-flags/poll/load.ts polled': 'compared with a version at each use',
  'kernel/authentication/api-key.ts cached': ['an API key of the environment'],
  'kernel/authentication/environment.ts cached': ['a method of sign-in'],
  'kernel/authentication/grantee.ts cached': ['an operator'],
  'kernel/aws-requests.ts keysOfBytes': 'derived from the key of the map itself',
  'kernel/concurrency.ts early': 'of one unit of work',
  'kernel/events/settlement.ts open': 'commits in progress',
  'kernel/http/entry.ts exchanges': 'of one request',
  'kernel/keys/envelopes.ts opening': 'data keys, for a minute from their decryption by KMS',
  'kernel/keys/envelopes.ts sealing': 'data keys, for a minute from their creation by KMS',
  'kernel/keys/organization-keys.ts keyCache': 'keys whose row is read at each use, for a minute from their decryption',
  'kernel/keys/server-secret.ts known': 'secrets of the service itself, for a minute from the read',
  'kernel/memory.ts entries': 'the map in each of these caches',
  'kernel/storage/epoch.ts copies': 'which deployment may write, five seconds from the read',
  'kernel/storage/epoch.ts unguarded': 'the client of the process',
  'kernel/storage/row-format.ts formats': 'formats of entities, which never change',
  'kernel/storage/snapshot.ts kept': 'compared with a version at each use',
  'kernel/tokens/jwks.ts known': 'public keys by their kid, which never change; the list of kids is read at each use',
  'kernel/tokens/key-set-cache.ts cached': 'public keys of others, for five minutes from the fetch',
  'kernel/tokens/keys.ts making': 'work in progress',
  'kernel/tokens/keys.ts signingCache': 'the service’s own signing keys, for a minute from the read',
  'kernel/tokens/remote-keys.ts keySets': 'public keys of an issuer, for five minutes from the fetch',
  'portal-access/grant/authenticate.ts cached': ['an IT contact'],
  'radar/geo/find.ts current': 'the name of the table of places, for a minute from the read',
  'radar/list/match.ts cached': 'compared with a version at each use',
  'reference/navigation/navigation.ts known': 'derived from the committed document',
  'reference/page/errors.ts known': 'derived from the committed document',
  'reference/page/events.ts known': 'derived from the committed document',
  'reference/search/search-index.ts known': 'derived from the committed document',
  'roles/model/load.ts models': 'compared with a version at each use',
  'roles/organization-role/load.ts kept': 'compared with a version at each use',
  'sessions/jwt-template/render.ts parsed': 'derived from the text that is the key',
  'sessions/session/stage.ts revokedIn': 'of one unit of work',
  'social/exchange/server.ts documents': 'public documents of providers, for ten minutes from the fetch',
  'social/exchange/server.ts keys': 'public keys of providers, which the library fetches again after five minutes',
  'sso/oidc/provider.ts keys': 'public keys of providers, which the library fetches again after five minutes',
  'user-management/import/stage.ts roles': 'of one import',
  'vault/key/protecting-keys.ts reported': 'that an event was emitted, which grants nothing',
  'vault/object/read.ts contexts': 'contexts of objects, which never change',
  'vault/object/read.ts ids': 'predictions of rows, which are read',
  'webhooks/endpoint/set.ts sets': 'compared with a version at each use',
};

beforeEach(() => reset());

describe('a cache of an instance', () => {
  test('has a row that names the revocations of its content, or why there is none', () => {
    expect(listCaches()).toEqual(Object.keys(CACHES).toSorted());
    const named = Object.values(CACHES).flatMap((row) => (typeof row === 'string' ? [] : row));
    expect(named.filter((name) => !(name in REVOCATIONS))).toEqual([]);
  });

  test.each(Object.keys(REVOCATIONS) as Revocation[])(
    'does not prolong %s that was revoked during constant use',
    async (name) => {
      const { use, revoke } = await REVOCATIONS[name]();
      // The calls before the revocation put the credential into the cache, at different ages of its entry.
      for (let call = 0; call < 4; call += 1) {
        expect(await use()).toBe(true);
        await advance(1);
      }
      expect(await use()).toBe(true);
      const revokedAt = await now();
      await revoke();
      while ((await now()) - revokedAt <= SECONDS * 1_000) {
        await use();
        await advance(1);
      }
      expect(await use()).toBe(false);
    },
  );
});
