/** A part of the official client that records which of its methods were called. */
export interface RecordedClient<Client> {
  client: Client;
  /** The names of the client's public methods that have not been called. */
  listUncalled: () => string[];
}

/** Wraps a part of the official client, such as `sdk().groups`. */
export function recordCalls<Client extends object>(of: Client): RecordedClient<Client> {
  const called = new Set<string>();
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(of)).filter((name) => name !== 'constructor');
  const client = new Proxy(of, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      called.add(String(name));
      return member.bind(target) as unknown;
    },
  });
  return { client, listUncalled: () => names.filter((name) => !called.has(name)) };
}
