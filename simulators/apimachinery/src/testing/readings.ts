/** Objects that count how often their members are read: work that grows with the square of a list shows here. */
export class Readings {
  count = 0;

  of<T extends object>(object: T): T {
    return new Proxy(object, {
      get: (target, name) => {
        this.count++;
        return Reflect.get(target, name);
      },
    });
  }
}
