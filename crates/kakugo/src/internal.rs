//! Items that are public only with the feature `internals`.
//!
//! The types of the public API live beside the code that uses them, and the rest of the workspace
//! needs more of them than a user of the library does. [`internal!`] declares such methods and
//! fields: `pub` with the feature, and `pub(crate)` without it.

/// Declares the methods of an `impl` block, or the fields of a struct, as `pub` with the feature
/// `internals` and as `pub(crate)` without it. Inside the macro they are written as `pub`.
macro_rules! internal {
    (impl $type:ty {
        $($(#[$meta:meta])* pub $($word:ident)+ ($($args:tt)*) $(-> $returns:ty)? $body:block)+
    }) => {
        #[cfg(feature = "internals")]
        #[doc(hidden)]
        impl $type { $($(#[$meta])* pub $($word)+ ($($args)*) $(-> $returns)? $body)+ }
        #[cfg(not(feature = "internals"))]
        #[allow(dead_code)]
        impl $type { $($(#[$meta])* pub(crate) $($word)+ ($($args)*) $(-> $returns)? $body)+ }
    };
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)+
    }) => {
        #[cfg(feature = "internals")]
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)+ }
        #[cfg(not(feature = "internals"))]
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub(crate) $field: $type,)+ }
    };
}
