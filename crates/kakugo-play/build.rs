//! Compresses the files of the browser board for embedding.

fn main() {
    memory_serve::load_directory("./assets");
}
