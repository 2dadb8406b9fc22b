/** A part of the official client that records which of its methods are called, by tests or by its other methods. */
export function recordCalls<T extends object>(part: T): { part: T; listUncalled: () => string[] } {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(part)).filter((name) => name !== 'constructor');
  const called = new Set<PropertyKey>();
  const recorded = new Proxy(part, {
    get: (target, name, receiver) => {
      if (methods.includes(String(name))) called.add(name);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { part: recorded, listUncalled: () => methods.filter((name) => !called.has(name)) };
}
