import { awaitAll } from '../../../kernel/concurrency.ts';
import { type CustomProviderRecord, customProviders } from '../custom-provider/entity.ts';
import { customDefinition, fieldsOfCustomProvider } from '../custom-provider/schema.ts';
import { builtInProvider, isBuiltIn } from './catalogue.ts';
import { makeDefinition, type ProviderDefinition } from './definition.ts';

/** A provider and, when it is a customer's own, its record. */
export interface FoundProvider {
  definition: ProviderDefinition;
  custom: CustomProviderRecord | undefined;
}

/** The provider of a slug. A built-in one needs no read, a customer's own one GetItem. */
export async function findProvider(environmentId: string, slug: string): Promise<FoundProvider | undefined> {
  const builtIn = await builtInProvider(slug);
  if (builtIn !== undefined) return { definition: makeDefinition(builtIn), custom: undefined };
  const custom = await customProviders.get(environmentId, slug);
  return custom && { definition: customDefinition(slug, fieldsOfCustomProvider(custom)), custom };
}

/** The providers of several slugs. Customers' own providers take one BatchGetItem. */
export async function findProviders(
  environmentId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, FoundProvider>> {
  const distinct = [...new Set(slugs)];
  const [builtIns, customs] = await awaitAll([
    awaitAll(distinct.filter(isBuiltIn).map(builtInProvider)),
    customProviders.getMany(
      environmentId,
      distinct.filter((slug) => !isBuiltIn(slug)),
    ),
  ]);
  return new Map<string, FoundProvider>([
    ...builtIns
      .filter((provider) => provider !== undefined)
      .map((provider) => [provider.slug, { definition: makeDefinition(provider), custom: undefined }] as const),
    ...customs.map(
      (custom) =>
        [custom.id, { definition: customDefinition(custom.id, fieldsOfCustomProvider(custom)), custom }] as const,
    ),
  ]);
}
