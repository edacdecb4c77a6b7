/** Objects that count property reads. Tests use the counts to detect quadratic work. */
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
