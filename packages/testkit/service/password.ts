/** The password of most accounts. */
export const PASSWORD = 'a long enough password';

/** What the sign-in library stores for it. Computing it takes a tenth of a second. */
export const PASSWORD_HASH =
  '00112233445566778899aabbccddeeff:9c7cebb1297efa3125ba2b2d79bf6d087c457316e1ed83789bce2de906b084b3bad8289b86c17139a1cdd2de43a36c0220b922291e29cfd4d0ffeb57f2621c15';
