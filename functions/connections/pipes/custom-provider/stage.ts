import type { Failure, Issue } from '../../../kernel/errors.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type * as z from 'zod';

import type { AuthMethod } from '../catalogue/schema.ts';
import type { FoundProvider } from '../catalogue/find.ts';
import { type CustomProviderRecord, customProviderOwner, customProviders } from './entity.ts';
import { customDefinition, customProviderFields, fieldsOfCustomProvider, type UpdateCustomProvider } from './schema.ts';

type Body = z.output<typeof UpdateCustomProvider>;
type AnyUnit = Pick<Unit, 'stage'>;

/**
 * A definition without addresses if its integration only has API keys, which need none: some clients send empty texts
 * in their place.
 */
export function withUsedAddresses<T extends Body>(body: T, methods: readonly AuthMethod[]): T {
  if (methods.some((method) => method !== 'api_key')) return body;
  return { ...body, authorization_url: undefined, token_url: undefined, refresh_token_url: undefined };
}

/**
 * Describes what is wrong with the addresses of a definition, as far as it can be found without a request. They are
 * customer input.
 */
export function addressIssues(body: Body): Issue[] {
  return (['authorization_url', 'token_url', 'refresh_token_url'] as const).flatMap((name) => {
    const address = body[name];
    if (address === undefined || address === null) return [];
    try {
      egress().checkUrl(address, { fragment: false });
      return [];
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return [{ field: `custom_provider.${name}`, code: error.code, message: error.message }];
    }
  });
}

const found = (record: CustomProviderRecord): FoundProvider => ({
  definition: customDefinition(record.id, fieldsOfCustomProvider(record)),
  custom: record,
});

/** Stages a new definition for its first integration. */
export function defineProvider(
  unit: AnyUnit,
  identity: { environmentId: string; slug: string; ownership: string },
  body: Body,
  taken: Failure,
): FoundProvider {
  const { environmentId, slug, ownership } = identity;
  const { record, write } = customProviders.create({
    environmentId,
    id: slug,
    owner: customProviderOwner,
    ...customProviderFields(body),
    roots: [ownership],
  });
  unit.stage(write, taken);
  return found(record);
}

/** Stages the use of a definition by another integration. */
export function joinProvider(unit: AnyUnit, record: CustomProviderRecord, ownership: string): FoundProvider {
  const roots = [...new Set([...record.roots, ownership])];
  const change = customProviders.revise(record, { roots });
  unit.stage(change.write);
  return found(change.record);
}

/** Stages the end of the use of a definition by an integration. It is removed with the last one. */
export function releaseCustomProvider(unit: AnyUnit, record: CustomProviderRecord, ownership: string): void {
  const roots = record.roots.filter((root) => root !== ownership);
  unit.stage(roots.length === 0 ? customProviders.remove(record) : customProviders.revise(record, { roots }).write);
}

/** Stages a new state of a definition, for all its integrations. */
export function redefineProvider(unit: AnyUnit, record: CustomProviderRecord, body: Body): FoundProvider {
  const change = customProviders.revise(record, customProviderFields(body, fieldsOfCustomProvider(record)));
  unit.stage(change.write);
  return found(change.record);
}
