/** Valid names of network resources: up to 80 characters, starting with a letter, digit or underscore. */
export const resourceName = /^[A-Za-z0-9_][\w.-]{0,79}$/;
