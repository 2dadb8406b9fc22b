import * as z from 'zod';

import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import type { Tile } from './page.ts';

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });
const Presented = z.object({
  name: z.string(),
  domains: z.array(z.object({ domain: z.string() })),
  saml_options: z.object({ acs_url: z.string(), sp_entity_id: z.string() }).nullable(),
});

/** Reads the connections of the type TestIdp through the API. */
export async function readTiles(url: string, apiKey: string): Promise<Tile[]> {
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })).json();
  const listed = Listed.safeParse(await get('/connections?connection_type=TestIdp&limit=100'));
  const found = await awaitAll((listed.data?.data ?? []).map(({ id }) => get(`/x/connections/${id}`)));
  return found.flatMap((one) => {
    const { data } = Presented.safeParse(one);
    if (!data?.saml_options) return [];
    const { acs_url: acsUrl, sp_entity_id: audience } = data.saml_options;
    return [{ name: data.name, acsUrl, audience, domain: data.domains[0]?.domain ?? '' }];
  });
}
