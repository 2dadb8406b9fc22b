import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  childKey,
  ENVIRONMENT_OWNER,
  environmentKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../../kernel/storage/record.ts';
import { claim, findHolder, release, transfer, type UniqueValue } from '../../../../kernel/storage/unique.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

const RedirectUriEntity = entity({
  model: model('redirect-uri'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    uri: { type: 'string', required: true, readOnly: true },
    isDefault: { type: 'boolean', required: true },
  },
  indexes: { primary: environmentKey('redirect-uris'), owned: ownedIndex },
});

export type RedirectUriRecord = RecordOf<typeof RedirectUriEntity>;

/** Redirect URIs of an environment: `get` is one GetItem, and `list` by `primary` one Query, both strongly consistent. */
export const redirectUris = collection(RedirectUriEntity, 'silent');

/**
 * A redirect URI with a wildcard, in the group of those that differ only in their label. All that could match a presented
 * URI are in one partition, whose key is derived from the URI.
 */
const WildcardEntity = entity({
  model: model('redirect-uri-wildcard'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    group: { type: 'string', required: true, readOnly: true },
    label: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: childKey('redirect-uri-wildcards', 'group'),
    owned: ownedIndex,
  },
});

/** The redirect URIs with a wildcard. A `list` by `primary` costs one Query of a group. */
export const redirectUriWildcards = collection(WildcardEntity, 'internal');

/** The kind of the rows that claim a registered redirect URI; its value is the URI as registered. */
export const REDIRECT_URI = 'redirect_uri';

const uriOf = (environmentId: string, value: string): UniqueValue => ({ environmentId, kind: REDIRECT_URI, value });

const defaultOf = (environmentId: string): UniqueValue => ({ environmentId, kind: 'redirect_uri.default', value: '' });

/** The row that makes a URI the only registration of its text. */
export const claimUri = ({ environmentId, uri, id }: RedirectUriRecord): Write =>
  claim(uriOf(environmentId, uri), id, ENVIRONMENT_OWNER);

export const releaseUri = ({ environmentId, uri, id }: RedirectUriRecord): Write =>
  release(uriOf(environmentId, uri), id);

/**
 * The id of the environment's default, by one GetItem. An environment has a default from its first URI without a wildcard
 * on.
 */
export const defaultId = (environmentId: string): Promise<string | undefined> => findHolder(defaultOf(environmentId));

/**
 * Makes a URI the default in place of the previous one. The write fails if another one became the default in the meantime.
 */
export const takeDefault = ({ environmentId, id }: RedirectUriRecord, former?: RedirectUriRecord): Write =>
  transfer(defaultOf(environmentId), former?.id, id, ENVIRONMENT_OWNER);
