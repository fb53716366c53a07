/**
 * The sandboxed exit (page/leave-frame.ts). Acts only inside a sandboxed frame, where its origin is opaque; opened or framed in any
 * other way it does nothing, so that no web page can navigate through us. The build makes a classic script of it, without imports:
 * Firefox loads no module script in an opaque origin.
 */
const target = decodeURIComponent(location.hash.slice(1))
if (self.origin === 'null' && top !== null && top !== self && /^https?:\/\//.test(target)) top.location.replace(target)
