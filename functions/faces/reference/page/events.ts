import { subscribableEventNames } from '../../../kernel/events/catalogue/names.ts';
import type { OpenApiDocument } from '../document/format.ts';
import type { JsonSchema } from '../document/format.ts';
import { type Described, listOperations } from '../navigation/navigation.ts';
import { variantsOf } from './schema.ts';

/** An event of the catalogue. */
export interface EventType {
  name: string;
  /** The schema of the event's payload. */
  data: JsonSchema;
  /** The operations that emit it. Others are emitted by work in the background, or by a browser's requests. */
  operations: readonly Described[];
  /** True if a webhook endpoint can subscribe to it. Others are only in the list of events. */
  isSubscribable: boolean;
}

const subscribable: ReadonlySet<string> = new Set(subscribableEventNames);

const known = new WeakMap<OpenApiDocument, ReadonlyMap<string, EventType>>();

/** All events of a document by their names. */
export function listEventTypes(document: OpenApiDocument): ReadonlyMap<string, EventType> {
  const found = known.get(document) ?? makeEventTypes(document);
  known.set(document, found);
  return found;
}

function makeEventTypes(document: OpenApiDocument): ReadonlyMap<string, EventType> {
  const operations = listOperations(document);
  const variants = variantsOf(document.components.schemas?.EventSchema ?? {});
  return new Map(
    variants.flatMap((variant): [string, EventType][] => {
      const { event, data } = (variant.properties ?? {}) as Record<string, JsonSchema>;
      if (typeof event?.const !== 'string') return [];
      const name = event.const;
      const emitters = operations.filter(({ operation }) => ((operation['x-emits'] ?? []) as string[]).includes(name));
      return [[name, { name, data: data ?? {}, operations: emitters, isSubscribable: subscribable.has(name) }]];
    }),
  );
}
