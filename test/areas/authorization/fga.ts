import { call } from '../../support/service.ts';

/**
 * A simple evaluator of OpenFGA's model schema 1.1, as far as the export uses it: direct relations with usersets, computed
 * usersets, tuples to usersets and unions.
 */
type Userset =
  | { this: object }
  | { computedUserset: { relation: string } }
  | { tupleToUserset: { tupleset: { relation: string }; computedUserset: { relation: string } } }
  | { union: { child: Userset[] } };

interface UserType {
  type: string;
  relation?: string;
}

interface TypeDefinition {
  type: string;
  relations: Record<string, Userset>;
  metadata: { relations: Record<string, { directly_related_user_types?: UserType[] }> };
}

interface Named {
  relation: string;
  slug: string;
}

/** The response of `GET /x/authorization/openfga/model`. */
export interface FgaModel {
  authorization_model: { schema_version: string; type_definitions: TypeDefinition[] };
  permissions: Named[];
  roles: Named[];
  types: { type: string; resource_type_slug: string }[];
}

export interface Tuple {
  user: string;
  relation: string;
  object: string;
}

interface TuplePage {
  data: Tuple[];
  list_metadata: { after: string | null };
}

/** A model with the tuples of one organization. */
export interface Store {
  model: FgaModel;
  tuples: Tuple[];
}

/** Exports an organization, its tuples page by page. */
export async function exportStore(organizationId: string, limit = 1_000): Promise<Store> {
  const model = await call<FgaModel>('GET', `/x/authorization/openfga/model?organization_id=${organizationId}`);
  if (model.status !== 200) throw new Error(JSON.stringify(model.body));
  const tuples: Tuple[] = [];
  for (let after: string | null = ''; after !== null;) {
    const from: string = after === '' ? '' : `&after=${after}`;
    const path = `/x/authorization/organizations/${organizationId}/openfga/tuples?limit=${limit}${from}`;
    const { status, body } = await call<TuplePage>('GET', path);
    if (status !== 200) throw new Error(JSON.stringify(body));
    tuples.push(...body.data);
    after = body.list_metadata.after;
  }
  return { model: model.body, tuples };
}

const findType = (object: string): string => object.split(':')[0] ?? '';

const makeDefinition = ({ model }: Store, type: string): TypeDefinition | undefined =>
  model.authorization_model.type_definitions.find((each) => each.type === type);

/** Reports whether OpenFGA would accept a tuple: its user is of a type that the relation names. */
export function isValid(store: Store, { user, relation, object }: Tuple): boolean {
  const allowed =
    makeDefinition(store, findType(object))?.metadata.relations[relation]?.directly_related_user_types ?? [];
  const [, userset] = user.split('#');
  return allowed.some((each) => each.type === findType(user) && each.relation === userset);
}

/** OpenFGA's Check. */
export function fgaCheck(store: Store, user: string, relation: string, object: string): boolean {
  const rewrite = makeDefinition(store, findType(object))?.relations[relation];
  return rewrite !== undefined && follows(store, rewrite, { user, relation, object });
}

function follows(store: Store, rewrite: Userset, { user, relation, object }: Tuple): boolean {
  const findTuples = (name: string): Tuple[] =>
    store.tuples.filter((tuple) => tuple.object === object && tuple.relation === name);
  if ('union' in rewrite) return rewrite.union.child.some((child) => follows(store, child, { user, relation, object }));
  if ('computedUserset' in rewrite) return fgaCheck(store, user, rewrite.computedUserset.relation, object);
  if ('tupleToUserset' in rewrite) {
    const { tupleset, computedUserset } = rewrite.tupleToUserset;
    return findTuples(tupleset.relation).some((tuple) => fgaCheck(store, user, computedUserset.relation, tuple.user));
  }
  return findTuples(relation).some((tuple) => {
    const [holder = '', userset] = tuple.user.split('#');
    return tuple.user === user || (userset !== undefined && fgaCheck(store, user, userset, holder));
  });
}
